-- What Almanac keeps about jobs beside procrastinate's own tables, which are made by the files it ships.

CREATE TABLE job_details (
    job_id bigint PRIMARY KEY REFERENCES procrastinate_jobs (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    schedule text,
    due_at timestamptz,
    reason text,
    done integer,
    total integer,
    doing text,
    cancel_requested boolean NOT NULL DEFAULT false
);

CREATE INDEX job_details_schedule_idx ON job_details (schedule, job_id DESC) WHERE schedule IS NOT NULL;

CREATE TABLE job_runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id bigint NOT NULL REFERENCES procrastinate_jobs (id) ON DELETE CASCADE,
    attempt integer NOT NULL,
    worker text NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    outcome text CHECK (outcome IN ('succeeded', 'retrying', 'failed', 'cancelled', 'interrupted', 'lost')),
    reason text
);

CREATE INDEX job_runs_job_idx ON job_runs (job_id, id DESC);

CREATE TABLE job_steps (
    job_id bigint NOT NULL REFERENCES procrastinate_jobs (id) ON DELETE CASCADE,
    step text NOT NULL,
    PRIMARY KEY (job_id, step)
);

CREATE TABLE job_schedules (
    name text PRIMARY KEY,
    last_due timestamptz NOT NULL,
    paused boolean NOT NULL DEFAULT false
);

CREATE INDEX job_status_idx ON procrastinate_jobs (status, id DESC);

-- Tells watchers which job changed; they read what it became.
CREATE FUNCTION job_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('almanac_jobs', to_jsonb(NEW) ->> TG_ARGV[0]);
    RETURN NULL;
END;
$$;

CREATE TRIGGER job_details_changed AFTER INSERT OR UPDATE ON job_details
    FOR EACH ROW EXECUTE FUNCTION job_changed('job_id');

CREATE TRIGGER job_status_changed AFTER UPDATE OF status ON procrastinate_jobs
    FOR EACH ROW EXECUTE FUNCTION job_changed('id');

-- Wakes workers for a job that came back to its queue; procrastinate announces only new ones.
CREATE FUNCTION job_queued_again() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    message text := json_build_object('type', 'job_inserted', 'job_id', NEW.id)::text;
BEGIN
    PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, message);
    PERFORM pg_notify('procrastinate_any_queue_v1', message);
    RETURN NULL;
END;
$$;

CREATE TRIGGER job_queued_again AFTER UPDATE OF status ON procrastinate_jobs
    FOR EACH ROW WHEN (OLD.status <> 'todo' AND NEW.status = 'todo') EXECUTE FUNCTION job_queued_again();

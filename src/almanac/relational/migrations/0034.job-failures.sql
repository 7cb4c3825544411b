-- Failures that a person should see: what they are about, whether somebody's input caused them, and who dismissed them.

ALTER TABLE job_details
    ADD COLUMN object_kind text,
    ADD COLUMN object_id text,
    ADD COLUMN by_input boolean NOT NULL DEFAULT false,
    ADD COLUMN request_id text,
    ADD COLUMN trace text;

CREATE TABLE job_failures (
    job_id bigint PRIMARY KEY REFERENCES procrastinate_jobs (id) ON DELETE CASCADE,
    task text NOT NULL,
    queue text NOT NULL,
    object_kind text,
    object_id text,
    by_input boolean NOT NULL,
    dismissed_at timestamptz,
    dismissed_by text,
    dismissed_why text
);

CREATE INDEX job_failures_open_idx ON job_failures (job_id DESC) WHERE dismissed_at IS NULL;
CREATE INDEX job_failures_object_idx ON job_failures (task, object_kind, object_id);

-- Jobs of older versions: what they were about is in their arguments.
UPDATE job_details AS d
SET
    object_kind = CASE
        WHEN d.schedule IS NOT NULL THEN 'schedule'
        WHEN j.task_name = 'knowledge.read' THEN 'source'
        WHEN j.task_name = 'mail.deliver' THEN 'mail'
        WHEN j.task_name = 'webhooks.deliver' THEN 'webhook delivery'
        WHEN j.task_name = 'saved.alert' THEN 'saved query'
        WHEN j.task_name = 'news.run-task' THEN 'news task'
        WHEN starts_with(j.task_name, 'newsletter.') AND j.args ->> 'code' IS NOT NULL THEN 'newsletter'
        WHEN starts_with(j.task_name, 'reminders.') AND j.args ->> 'draft_id' IS NOT NULL THEN 'reminder'
    END,
    object_id = CASE
        WHEN d.schedule IS NOT NULL THEN d.schedule
        ELSE coalesce(
            j.args ->> 'source_id',
            j.args ->> 'mail_id',
            j.args ->> 'delivery_id',
            j.args ->> 'saved_id',
            j.args ->> 'task_id',
            j.args ->> 'code',
            j.args ->> 'draft_id'
        )
    END
FROM procrastinate_jobs AS j
WHERE j.id = d.job_id AND j.status IN ('failed', 'todo', 'doing');

UPDATE job_details SET object_id = NULL WHERE object_kind IS NULL AND object_id IS NOT NULL;
UPDATE job_details SET object_kind = NULL WHERE object_id IS NULL AND object_kind IS NOT NULL;

INSERT INTO job_failures (job_id, task, queue, object_kind, object_id, by_input)
SELECT j.id, j.task_name, j.queue_name, d.object_kind, d.object_id, false
FROM procrastinate_jobs AS j
JOIN job_details AS d ON d.job_id = j.id
WHERE j.status = 'failed';

-- A job that fails is a failure until it is tried again, or until the same work on the same object succeeds.
CREATE FUNCTION job_failure_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status = 'failed' THEN
        DELETE FROM job_failures WHERE job_id = NEW.id;
    END IF;
    IF NEW.status = 'failed' THEN
        INSERT INTO job_failures (job_id, task, queue, object_kind, object_id, by_input)
        SELECT NEW.id, NEW.task_name, NEW.queue_name, d.object_kind, d.object_id, d.by_input
        FROM job_details AS d
        WHERE d.job_id = NEW.id
        ON CONFLICT (job_id) DO NOTHING;
    ELSIF NEW.status = 'succeeded' THEN
        DELETE FROM job_failures AS f
        USING job_details AS d
        WHERE d.job_id = NEW.id
            AND f.task = NEW.task_name
            AND f.object_kind = d.object_kind
            AND f.object_id = d.object_id;
    END IF;
    RETURN NULL;
END;
$$;

CREATE TRIGGER job_failure_changed AFTER UPDATE OF status ON procrastinate_jobs
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION job_failure_changed();

-- Dismissing changes what the live pages show.
CREATE TRIGGER job_failure_dismissed AFTER UPDATE ON job_failures
    FOR EACH ROW EXECUTE FUNCTION job_changed('job_id');

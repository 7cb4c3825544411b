-- A request that failed half-way keeps its key: free for another try where that finds what the first one began, and
-- otherwise in doubt. What is made from the key is made as of the moment when the request came first.

ALTER TABLE idempotency_keys ADD COLUMN begun_at timestamptz;
UPDATE idempotency_keys SET begun_at = claimed_at;
ALTER TABLE idempotency_keys ALTER COLUMN begun_at SET NOT NULL;
ALTER TABLE idempotency_keys ADD COLUMN tries integer NOT NULL DEFAULT 1;
ALTER TABLE idempotency_keys ADD COLUMN ended text
    CONSTRAINT idempotency_keys_end_is_known CHECK (ended IN ('free', 'in doubt'));

-- How many jobs stand where, as a sum of changes: adding a line waits for nobody, as changing one number would. Lines
-- are folded into one for each queue and status now and then.

CREATE TABLE job_tallies (
    queue text NOT NULL,
    status procrastinate_job_status NOT NULL,
    jobs bigint NOT NULL
);

CREATE FUNCTION tally_new_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_tallies (queue, status, jobs)
    SELECT queue_name, status, count(*) FROM new_jobs GROUP BY queue_name, status;
    RETURN NULL;
END;
$$;

CREATE FUNCTION tally_old_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_tallies (queue, status, jobs)
    SELECT queue_name, status, -count(*) FROM old_jobs GROUP BY queue_name, status;
    RETURN NULL;
END;
$$;

CREATE FUNCTION tally_changed_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_tallies (queue, status, jobs)
    SELECT queue_name, status, sum(change)
    FROM (
        SELECT queue_name, status, -1 AS change FROM old_jobs
        UNION ALL
        SELECT queue_name, status, 1 FROM new_jobs
    ) AS changes
    GROUP BY queue_name, status
    HAVING sum(change) <> 0;
    RETURN NULL;
END;
$$;

CREATE TRIGGER job_tallied_new AFTER INSERT ON procrastinate_jobs
    REFERENCING NEW TABLE AS new_jobs FOR EACH STATEMENT EXECUTE FUNCTION tally_new_jobs();
CREATE TRIGGER job_tallied_changed AFTER UPDATE ON procrastinate_jobs
    REFERENCING OLD TABLE AS old_jobs NEW TABLE AS new_jobs FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_jobs();
CREATE TRIGGER job_tallied_gone AFTER DELETE ON procrastinate_jobs
    REFERENCING OLD TABLE AS old_jobs FOR EACH STATEMENT EXECUTE FUNCTION tally_old_jobs();

INSERT INTO job_tallies (queue, status, jobs)
SELECT queue_name, status, count(*) FROM procrastinate_jobs GROUP BY queue_name, status;

-- The leaderboard tells of its people which points were entered late; few are.
CREATE INDEX habit_completions_late_idx ON habit_completions (owner_id) WHERE late;

-- The latest jobs of one task, among however many others.
CREATE INDEX job_task_idx ON procrastinate_jobs (task_name, id DESC);

-- How many workers in a row were lost with a job: no fault of a job that is merely long, so no attempt of it is used up.
ALTER TABLE job_details ADD COLUMN losses integer NOT NULL DEFAULT 0;

-- How many stories each of the last days has; what is told about the same as another story doesn't count.
CREATE INDEX processed_content_stories_idx ON processed_content (news_date) WHERE COALESCE(cluster, link_id) = link_id;

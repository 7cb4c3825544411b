-- name: list_operation_tallies
-- Everything that was ever counted, by name.
SELECT name, subject, detail, sum(amount) AS amount
FROM operation_tallies
GROUP BY name, subject, detail
ORDER BY name, subject, detail;

-- name: compact_operation_tallies
-- Fold the lines of each sum into one, once there are many; of two who do it at once each takes others.
WITH taken AS (
    DELETE FROM operation_tallies
    WHERE (SELECT count(*) FROM operation_tallies) > %(many)s
    RETURNING name, subject, detail, amount
)
INSERT INTO operation_tallies (name, subject, detail, amount)
SELECT name, subject, detail, sum(amount) FROM taken GROUP BY name, subject, detail;

-- name: list_queue_ages
-- Since when the oldest job that could run now waits in each queue, by the database's clock.
SELECT
    j.queue_name AS queue,
    extract(epoch FROM now() - min(greatest(coalesce(j.scheduled_at, d.created_at), d.created_at)))::double precision
        AS seconds
FROM procrastinate_jobs AS j
JOIN job_details AS d ON d.job_id = j.id
WHERE j.status = 'todo' AND (j.scheduled_at IS NULL OR j.scheduled_at <= now())
GROUP BY j.queue_name;

-- name: list_failure_counts
-- Failures that nobody dismissed, by kind of work and cause.
SELECT task, by_input, count(*) AS failures FROM job_failures WHERE dismissed_at IS NULL GROUP BY task, by_input;

-- name: list_last_successes
-- When the latest run of each schedule succeeded.
SELECT schedule, success.finished_at
FROM unnest(%(schedules)s::text[]) AS schedule
JOIN LATERAL (
    SELECT r.finished_at
    FROM job_details AS d
    JOIN job_runs AS r ON r.job_id = d.job_id
    WHERE d.schedule = schedule.schedule AND r.outcome = 'succeeded'
    ORDER BY d.job_id DESC
    LIMIT 1
) AS success ON true;

-- name: list_backlogs
-- Mails and webhook deliveries that wait, and since when the oldest of them does.
SELECT 'mail_' || status AS name, count(*) AS waiting, min(due_at) AS oldest
FROM mail_messages
WHERE status IN ('queued', 'sending', 'unknown')
GROUP BY status
UNION ALL
SELECT 'webhooks', count(*), min(created_at) FROM webhook_deliveries WHERE state = 'waiting';

-- name: read_sync_lag
-- How long the most overdue source of each kind has waited to be read; null where none is due.
SELECT
    (
        SELECT min(next_run) FROM query_tasks WHERE is_active AND next_run < %(now)s::timestamptz AT TIME ZONE 'UTC'
    ) AT TIME ZONE 'UTC' AS news,
    (
        SELECT min(checked_at) FROM knowledge_sources
        WHERE removed_at IS NULL AND kind = 'feed' AND checked_at < %(now)s::timestamptz - interval '1 hour'
    ) + interval '1 hour' AS knowledge_feeds,
    (
        SELECT min(checked_at) FROM knowledge_sources
        WHERE removed_at IS NULL AND kind = 'url' AND checked_at < %(now)s::timestamptz - interval '1 day'
    ) + interval '1 day' AS knowledge_pages;

-- name: count_sessions
-- How many browsers are signed in.
SELECT count(*) FROM sessions WHERE expires_at > %(now)s;

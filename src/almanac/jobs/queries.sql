-- name: insert_job_details
-- Add our own facts to a job that was just deferred.
INSERT INTO job_details (job_id, created_at, schedule, due_at, object_kind, object_id, request_id, trace)
VALUES (
    %(job_id)s, %(now)s, %(schedule)s, %(due_at)s, %(object_kind)s, %(object_id)s, %(request_id)s, %(trace)s
);

-- name: find_queued_job
-- The job that already waits under a queueing lock.
SELECT id FROM procrastinate_jobs WHERE queueing_lock = %(queueing_lock)s AND status = 'todo';

-- name: list_jobs
-- Jobs with their progress and their last run, newest first; every filter may be null.
SELECT
    j.id,
    j.task_name AS task,
    j.queue_name AS queue,
    CASE j.status
        WHEN 'todo' THEN 'queued'
        WHEN 'doing' THEN 'running'
        WHEN 'aborting' THEN 'running'
        WHEN 'aborted' THEN 'cancelled'
        ELSE j.status::text
    END AS status,
    coalesce(run.attempt, 0) AS attempts,
    coalesce(d.created_at, to_timestamp(0)) AS created_at,
    CASE WHEN j.status = 'todo' THEN j.scheduled_at END AS not_before,
    run.started_at,
    CASE WHEN j.status IN ('succeeded', 'failed', 'cancelled', 'aborted') THEN run.finished_at END AS finished_at,
    d.reason,
    d.done,
    d.total,
    d.doing,
    coalesce(d.cancel_requested, false) OR j.abort_requested AS cancel_requested,
    d.schedule,
    d.due_at,
    d.object_kind,
    d.object_id,
    coalesce(f.by_input, false) AS by_input,
    f.dismissed_at,
    f.dismissed_by,
    f.dismissed_why
FROM procrastinate_jobs AS j
LEFT JOIN job_details AS d ON d.job_id = j.id
LEFT JOIN job_failures AS f ON f.job_id = j.id
LEFT JOIN LATERAL (
    SELECT r.attempt, r.started_at, r.finished_at FROM job_runs AS r WHERE r.job_id = j.id ORDER BY r.id DESC LIMIT 1
) AS run ON true
WHERE (%(job_id)s::bigint IS NULL OR j.id = %(job_id)s)
    AND (%(before)s::bigint IS NULL OR j.id < %(before)s)
    AND (%(statuses)s::procrastinate_job_status[] IS NULL OR j.status = ANY(%(statuses)s))
    AND (%(task)s::text IS NULL OR j.task_name = %(task)s)
    AND (%(queue)s::text IS NULL OR j.queue_name = %(queue)s)
    AND (%(schedule)s::text IS NULL OR d.schedule = %(schedule)s)
    AND split_part(j.task_name, '.', 1) <> ALL(%(hidden)s::text[])
    AND (%(housekeeping)s OR d.schedule IS NULL OR j.status IN ('failed', 'doing', 'aborting'))
ORDER BY j.id DESC
LIMIT %(limit)s;

-- name: list_failures
-- Open or dismissed failures, newest first: the latest of the same work on the same object, and how many there are.
-- However many failed, the newest are looked at.
WITH recent AS (
    SELECT *, coalesce(object_kind || ' ' || object_id, 'job ' || job_id) AS object_key
    FROM job_failures
    WHERE (dismissed_at IS NOT NULL) = %(dismissed)s
        AND (%(task)s::text IS NULL OR task = %(task)s)
        AND (%(ids)s::bigint[] IS NULL OR job_id = ANY(%(ids)s))
    ORDER BY job_id DESC
    LIMIT %(looked_at)s
), ranked AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY task, object_key ORDER BY job_id DESC) AS place,
        count(*) OVER (PARTITION BY task, object_key) AS times
    FROM recent
)
SELECT
    f.job_id,
    f.task,
    f.queue,
    f.object_kind,
    f.object_id,
    f.by_input,
    f.times,
    d.reason,
    (SELECT max(r.finished_at) FROM job_runs AS r WHERE r.job_id = f.job_id) AS failed_at,
    f.dismissed_at,
    f.dismissed_by,
    f.dismissed_why
FROM ranked AS f
JOIN job_details AS d ON d.job_id = f.job_id
WHERE f.place = 1
ORDER BY f.job_id DESC
LIMIT %(limit)s;

-- name: list_failed_runs
-- What failed for good between two moments, also if it was repaired since: the latest of the same work on the same object,
-- and how often. Of what isn't a failure any more nobody knows whose fault it was, so its object decides who may see why.
SELECT DISTINCT ON (task, object_key)
    job_id, task, queue, object_kind, object_id, by_input, reason, failed_at,
    count(*) OVER (PARTITION BY task, object_key) AS times,
    NULL::timestamptz AS dismissed_at, NULL::text AS dismissed_by, NULL::text AS dismissed_why
FROM (
    SELECT
        r.job_id,
        j.task_name AS task,
        j.queue_name AS queue,
        d.object_kind,
        d.object_id,
        coalesce(f.by_input, d.object_kind IS NOT NULL) AS by_input,
        r.reason,
        r.finished_at AS failed_at,
        coalesce(d.object_kind || ' ' || d.object_id, '') AS object_key
    FROM job_runs AS r
    JOIN procrastinate_jobs AS j ON j.id = r.job_id
    LEFT JOIN job_details AS d ON d.job_id = r.job_id
    LEFT JOIN job_failures AS f ON f.job_id = r.job_id
    WHERE r.outcome = 'failed' AND r.finished_at >= %(since)s AND r.finished_at < %(until)s
    ORDER BY r.finished_at DESC
    LIMIT %(limit)s
) AS failed
ORDER BY task, object_key, failed_at DESC;

-- name: dismiss_failures
-- Dismiss failures together with older ones of the same work on the same object; those dismissed before stay as they are.
UPDATE job_failures AS f
SET dismissed_at = %(now)s, dismissed_by = %(by)s, dismissed_why = %(why)s
WHERE f.dismissed_at IS NULL
    AND (
        f.job_id = ANY(%(ids)s::bigint[])
        OR EXISTS (
            SELECT FROM job_failures AS c
            WHERE c.job_id = ANY(%(ids)s::bigint[])
                AND c.task = f.task
                AND c.object_kind = f.object_kind
                AND c.object_id = f.object_id
                AND c.job_id > f.job_id
        )
    );

-- name: restore_failures
-- Take back the dismissal of failures.
UPDATE job_failures SET dismissed_at = NULL, dismissed_by = NULL, dismissed_why = NULL
WHERE job_id = ANY(%(ids)s::bigint[]) AND dismissed_at IS NOT NULL;

-- name: read_arguments
-- What a job was deferred with.
SELECT args FROM procrastinate_jobs WHERE id = %(job_id)s;

-- name: list_runs
-- The attempts at one job, newest first.
SELECT attempt, worker, started_at, finished_at, outcome, reason
FROM job_runs
WHERE job_id = %(job_id)s
ORDER BY id DESC;

-- name: count_jobs
-- How many jobs of each queue stand where, from the tallies that triggers keep; however many jobs there are.
SELECT
    queue,
    coalesce(sum(jobs) FILTER (WHERE status = 'todo'), 0)::bigint AS queued,
    coalesce(sum(jobs) FILTER (WHERE status IN ('doing', 'aborting')), 0)::bigint AS running,
    coalesce(sum(jobs) FILTER (WHERE status = 'succeeded'), 0)::bigint AS succeeded,
    coalesce(sum(jobs) FILTER (WHERE status = 'failed'), 0)::bigint AS failed,
    coalesce(sum(jobs) FILTER (WHERE status IN ('cancelled', 'aborted')), 0)::bigint AS cancelled
FROM job_tallies
GROUP BY queue
HAVING sum(jobs) > 0
ORDER BY queue;

-- name: compact_tallies
-- Make one line of all tallies of a queue and status, once there are many; of two who do it at once each takes others.
WITH taken AS (
    DELETE FROM job_tallies WHERE (SELECT count(*) FROM job_tallies) > %(many)s RETURNING queue, status, jobs
)
INSERT INTO job_tallies (queue, status, jobs)
SELECT queue, status, sum(jobs) FROM taken GROUP BY queue, status HAVING sum(jobs) <> 0;

-- name: count_open_jobs
-- How many jobs could start now in some queues, or in all, or run on a worker.
SELECT count(*)
FROM procrastinate_jobs
WHERE (
        status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())
        AND (%(queues)s::text[] IS NULL OR queue_name = ANY(%(queues)s))
    )
    OR (status = 'doing' AND worker_id = %(worker_id)s);

-- name: requeue_jobs
-- Bring failed or cancelled jobs back, with all their attempts; one that already waits under the same lock is enough.
WITH chosen AS (
    SELECT DISTINCT ON (coalesce('lock ' || j.queueing_lock, 'job ' || j.id)) j.id
    FROM procrastinate_jobs AS j
    WHERE j.status = ANY(%(statuses)s::procrastinate_job_status[])
        AND (%(ids)s::bigint[] IS NULL OR j.id = ANY(%(ids)s))
        AND (%(task)s::text IS NULL OR j.task_name = %(task)s)
        AND (%(queue)s::text IS NULL OR j.queue_name = %(queue)s)
        AND NOT EXISTS (
            SELECT 1 FROM procrastinate_jobs AS o WHERE o.queueing_lock = j.queueing_lock AND o.status = 'todo'
        )
    ORDER BY coalesce('lock ' || j.queueing_lock, 'job ' || j.id), j.id
), cleared AS (
    UPDATE job_details
    SET reason = NULL, done = NULL, total = NULL, doing = NULL, cancel_requested = false, losses = 0
    WHERE job_id IN (SELECT id FROM chosen)
)
UPDATE procrastinate_jobs
SET status = 'todo', attempts = 0, scheduled_at = NULL, worker_id = NULL, abort_requested = false
WHERE id IN (SELECT id FROM chosen) AND status = ANY(%(statuses)s::procrastinate_job_status[]);

-- name: cancel_queued_job
-- Cancel a job that has not started.
UPDATE procrastinate_jobs SET status = 'cancelled' WHERE id = %(job_id)s AND status = 'todo';

-- name: request_cancel
-- Ask a running job to stop at its next report of progress.
UPDATE job_details
SET cancel_requested = true
FROM procrastinate_jobs AS j
WHERE j.id = job_id AND j.id = %(job_id)s AND j.status = 'doing';

-- name: request_abort
-- Ask the worker of a running job to interrupt it; procrastinate's own trigger tells that worker.
UPDATE procrastinate_jobs SET abort_requested = true WHERE id = %(job_id)s AND status = 'doing';

-- name: set_cancel_reason
-- Say why a job ended before it started.
UPDATE job_details SET reason = %(reason)s WHERE job_id = %(job_id)s;

-- name: has_succeeded
-- Whether an attempt at the job has already been recorded as successful.
SELECT EXISTS (SELECT 1 FROM job_runs WHERE job_id = %(job_id)s AND outcome = 'succeeded');

-- name: begin_run
-- Record the start of an attempt, if the job is still ours; a returned row carries the attempt's number.
INSERT INTO job_runs (job_id, attempt, worker, started_at)
SELECT j.id, 1 + (SELECT count(*) FROM job_runs AS r WHERE r.job_id = j.id), %(worker)s, %(now)s
FROM procrastinate_jobs AS j
WHERE j.id = %(job_id)s AND j.status = 'doing' AND j.worker_id = %(worker_id)s
RETURNING
    id,
    attempt,
    (SELECT d.due_at FROM job_details AS d WHERE d.job_id = job_runs.job_id) AS due_at,
    (SELECT d.request_id FROM job_details AS d WHERE d.job_id = job_runs.job_id) AS request_id,
    (SELECT d.trace FROM job_details AS d WHERE d.job_id = job_runs.job_id) AS trace;

-- name: end_run
-- Record how an attempt ended and why; one that was already written off stays so. Its worker lived to the end of it.
WITH ended AS (
    UPDATE job_runs
    SET outcome = %(outcome)s, reason = %(reason)s, finished_at = %(now)s
    WHERE id = %(run_id)s AND outcome IS NULL
    RETURNING job_id
)
UPDATE job_details AS d
SET reason = %(reason)s, losses = 0, by_input = %(by_input)s
FROM ended
WHERE d.job_id = ended.job_id;

-- name: hold_lease
-- Keep the job from being taken over until this transaction ends; no row means that it already was.
SELECT j.id
FROM procrastinate_jobs AS j
JOIN job_runs AS r ON r.job_id = j.id
WHERE r.id = %(run_id)s AND r.outcome IS NULL AND j.status = 'doing' AND j.worker_id = %(worker_id)s
FOR SHARE OF j;

-- name: report_progress
-- Store how far a run is; the row says whether somebody wants it to stop, no row that the lease is lost.
UPDATE job_details AS d
SET done = %(done)s, total = %(total)s, doing = %(doing)s
FROM procrastinate_jobs AS j, job_runs AS r
WHERE d.job_id = j.id
    AND r.job_id = j.id
    AND r.id = %(run_id)s
    AND r.outcome IS NULL
    AND j.status = 'doing'
    AND j.worker_id = %(worker_id)s
RETURNING d.cancel_requested;

-- name: claim_step
-- Note that a step of a job is done, in the transaction that does it; touches no row when it was done before.
INSERT INTO job_steps (job_id, step) VALUES (%(job_id)s, %(step)s) ON CONFLICT DO NOTHING;

-- name: finish_leased_job
-- Give a job its final status, if it is still ours: this worker's, and not that of a later attempt in this worker.
UPDATE procrastinate_jobs AS j
SET status = %(status)s::procrastinate_job_status, abort_requested = false, attempts = j.attempts + 1
WHERE j.id = %(job_id)s
    AND j.status = 'doing'
    AND j.worker_id = %(worker_id)s
    AND NOT EXISTS (
        SELECT FROM job_runs AS r
        WHERE r.job_id = j.id
            AND (r.id > %(run_id)s::bigint OR (r.id = %(run_id)s::bigint AND r.outcome = 'lost'))
    );

-- name: requeue_leased_job
-- Put a job back for its next attempt, if it is still ours; an attempt that paused or was cut short isn't counted.
-- Only one job may wait with a queueing lock; where another does meanwhile, this one waits without.
UPDATE procrastinate_jobs AS j
SET
    status = CASE WHEN j.abort_requested THEN 'aborted' ELSE 'todo' END::procrastinate_job_status,
    scheduled_at = %(retry_at)s,
    abort_requested = false,
    queueing_lock = CASE
        WHEN EXISTS (
            SELECT FROM procrastinate_jobs AS o WHERE o.queueing_lock = j.queueing_lock AND o.status = 'todo'
        ) THEN NULL
        ELSE j.queueing_lock
    END,
    attempts = j.attempts + CASE
        WHEN (SELECT r.outcome FROM job_runs AS r WHERE r.job_id = j.id ORDER BY r.id DESC LIMIT 1)
            IN ('interrupted', 'paused')
            THEN 0
        ELSE 1
    END
WHERE j.id = %(job_id)s
    AND j.status = 'doing'
    AND j.worker_id = %(worker_id)s
    AND NOT EXISTS (
        SELECT FROM job_runs AS r
        WHERE r.job_id = j.id
            AND (r.id > %(run_id)s::bigint OR (r.id = %(run_id)s::bigint AND r.outcome = 'lost'))
    );

-- name: wake_paused_jobs
-- Let jobs that wait for a limit try again now: settings are read at the start, so the limit may have been raised.
UPDATE procrastinate_jobs AS j
SET scheduled_at = NULL
WHERE j.status = 'todo'
    AND j.scheduled_at IS NOT NULL
    AND (SELECT r.outcome FROM job_runs AS r WHERE r.job_id = j.id ORDER BY r.id DESC LIMIT 1) = 'paused';

-- name: set_end_reason
-- Give a job that has ended a reason when no attempt could record one.
UPDATE job_details SET reason = coalesce(reason, %(reason)s) WHERE job_id = %(job_id)s;

-- name: lock_lost_jobs
-- Running jobs whose worker has sent no heartbeat for a lease, or doesn't know that it has them: its answer or ours was
-- lost on the way, and either no attempt is open or the worker that asks doesn't hold them. Locked so that one worker
-- recovers each.
SELECT
    j.id,
    j.task_name AS task,
    coalesce(d.losses, 0) AS losses,
    j.abort_requested OR coalesce(d.cancel_requested, false) AS cancelled
FROM procrastinate_jobs AS j
LEFT JOIN procrastinate_workers AS w ON w.id = j.worker_id
LEFT JOIN job_details AS d ON d.job_id = j.id
WHERE j.status = 'doing'
    AND (
        w.id IS NULL
        OR w.last_heartbeat < now() - make_interval(secs => %(lease_seconds)s)
        OR (
            (
                NOT EXISTS (SELECT FROM job_runs AS r WHERE r.job_id = j.id AND r.outcome IS NULL)
                OR (j.worker_id = %(worker_id)s::bigint AND j.id <> ALL(%(held)s::bigint []))
            )
            AND (SELECT max(e.at) FROM procrastinate_events AS e WHERE e.job_id = j.id AND e.type = 'started')
                < now() - make_interval(secs => %(lease_seconds)s)
        )
    )
ORDER BY j.id
FOR UPDATE OF j SKIP LOCKED;

-- name: mark_runs_lost
-- End the attempts of a job whose worker is gone.
UPDATE job_runs SET outcome = 'lost', reason = %(reason)s, finished_at = %(now)s
WHERE job_id = %(job_id)s AND outcome IS NULL;

-- name: release_lost_job
-- Move a job whose worker is gone to where it belongs: its queue, or its end. Only one job may wait with a queueing
-- lock; where another does meanwhile, this one waits without. Losses are counted apart from its attempts.
WITH counted AS (
    UPDATE job_details SET losses = losses + 1, reason = %(reason)s WHERE job_id = %(job_id)s
)
UPDATE procrastinate_jobs AS j
SET
    status = %(status)s::procrastinate_job_status,
    scheduled_at = NULL,
    worker_id = NULL,
    abort_requested = false,
    queueing_lock = CASE
        WHEN EXISTS (
            SELECT FROM procrastinate_jobs AS o WHERE o.queueing_lock = j.queueing_lock AND o.status = 'todo'
        ) THEN NULL
        ELSE j.queueing_lock
    END
WHERE j.id = %(job_id)s;

-- name: remove_finished_jobs
-- Remove jobs that ended before a moment; their runs and steps go with them.
DELETE FROM procrastinate_jobs AS j
USING job_details AS d
WHERE d.job_id = j.id
    AND j.status = ANY(%(statuses)s::procrastinate_job_status[])
    AND coalesce((SELECT max(r.finished_at) FROM job_runs AS r WHERE r.job_id = j.id), d.created_at) < %(before)s;

-- name: insert_schedule
-- Note a schedule the first time it is seen; nothing before that moment is due.
INSERT INTO job_schedules (name, last_due) VALUES (%(name)s, %(now)s) ON CONFLICT DO NOTHING;

-- name: lock_schedule
-- One schedule, kept from other workers until this transaction ends; no row when another has it or it is paused.
SELECT last_due FROM job_schedules WHERE name = %(name)s AND NOT paused FOR UPDATE SKIP LOCKED;

-- name: advance_schedule
-- Note up to when a schedule has been kept.
UPDATE job_schedules SET last_due = %(last_due)s WHERE name = %(name)s;

-- name: pause_schedule
-- Stop or continue a schedule; what was missed in between is not due.
INSERT INTO job_schedules (name, last_due, paused) VALUES (%(name)s, %(now)s, %(paused)s)
ON CONFLICT (name) DO UPDATE SET paused = excluded.paused, last_due = excluded.last_due;

-- name: list_schedules
-- What is remembered of every schedule.
SELECT name, last_due, paused FROM job_schedules ORDER BY name;

-- name: measure_backlog
-- How many jobs could run now, since when the oldest waits, and how many workers are alive to take them.
SELECT
    count(*) AS waiting,
    min(coalesce(j.scheduled_at, (SELECT min(e.at) FROM procrastinate_events AS e WHERE e.job_id = j.id))) AS oldest,
    (
        SELECT count(*) FROM procrastinate_workers
        WHERE last_heartbeat > now() - make_interval(secs => %(lease_seconds)s)
    ) AS workers
FROM procrastinate_jobs AS j
WHERE j.status = 'todo' AND (j.scheduled_at IS NULL OR j.scheduled_at <= now());

-- name: list_public_queries
-- Saved queries that somebody made public, by name.
SELECT public_name AS address, name, query, kinds, filters, public_since, updated_at
FROM saved_queries WHERE public_name IS NOT NULL ORDER BY lower(name), id LIMIT %(limit)s;

-- name: get_public_query
-- One of them, by the name in its address.
SELECT public_name AS address, name, query, kinds, filters, public_since, updated_at
FROM saved_queries WHERE public_name = %(address)s;

-- name: list_last_collections
-- When each of these tasks last ended well.
SELECT task, (
    SELECT run.finished_at FROM procrastinate_jobs AS job JOIN job_runs AS run ON run.job_id = job.id
    WHERE job.task_name = task AND run.outcome = 'succeeded'
    ORDER BY job.id DESC LIMIT 1
) AS finished_at
FROM unnest(%(tasks)s::text[]) AS task;

-- name: add_run
INSERT INTO backup_runs (
    kind, result, reason, place, name, encrypted, bytes, row_count, item_count, started_at, finished_at
) VALUES (
    %(kind)s, %(result)s, %(reason)s, %(place)s, %(name)s, %(encrypted)s, %(bytes)s, %(row_count)s, %(item_count)s,
    %(started_at)s, %(finished_at)s
);

-- name: last_runs
-- The newest attempt of each result.
SELECT DISTINCT ON (result)
    kind, result, reason, place, name, encrypted, bytes, row_count, item_count, started_at, finished_at
FROM backup_runs
ORDER BY result, finished_at DESC, id DESC;

-- name: installed_at
-- When the first migration was applied.
SELECT min(applied_at_utc) FROM _yoyo_migration;

-- name: delete_old_runs
DELETE FROM backup_runs WHERE finished_at < %(before)s;

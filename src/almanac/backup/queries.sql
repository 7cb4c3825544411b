-- name: add_run
INSERT INTO backup_runs (
    kind, result, reason, place, name, encrypted, bytes, row_count, item_count, started_at, finished_at
) VALUES (
    %(kind)s, %(result)s, %(reason)s, %(place)s, %(name)s, %(encrypted)s, %(bytes)s, %(row_count)s, %(item_count)s,
    %(started_at)s, %(finished_at)s
);

-- name: last_runs
-- When the first migration was applied, and the newest attempt of each result; one row of nulls where there was none.
SELECT m.installed_at, r.*
FROM (SELECT min(applied_at_utc) AS installed_at FROM _yoyo_migration) AS m
LEFT JOIN (
    SELECT DISTINCT ON (result)
        kind, result, reason, place, name, encrypted, bytes, row_count, item_count, started_at, finished_at
    FROM backup_runs
    ORDER BY result, finished_at DESC, id DESC
) AS r ON true;

-- name: delete_old_runs
DELETE FROM backup_runs WHERE finished_at < %(before)s;

-- name: deduct_tokens
-- Refills the buckets of these callers up to now and takes out what one process has spent; what is left may be negative.
INSERT INTO rate_limit_buckets AS bucket (caller, tokens, filled_at)
SELECT caller, %(limit)s - spent, %(now)s
FROM unnest(%(callers)s::text[], %(spent)s::double precision[]) AS spending (caller, spent)
ORDER BY caller
ON CONFLICT (caller) DO UPDATE SET
    tokens = least(
        %(limit)s,
        bucket.tokens + greatest(extract(epoch FROM excluded.filled_at - bucket.filled_at), 0) * %(limit)s / 60
    ) - (%(limit)s - excluded.tokens),
    filled_at = greatest(bucket.filled_at, excluded.filled_at)
RETURNING caller, tokens

-- name: delete_full_buckets
-- Removes buckets that nobody has drawn from since; a caller without a row has a full one.
DELETE FROM rate_limit_buckets WHERE filled_at < %(idle_since)s

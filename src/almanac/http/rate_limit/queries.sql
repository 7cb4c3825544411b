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

-- name: count_form
-- Counts a form of the public side for its sender and for everybody; returns how many there are in this hour.
INSERT INTO public_form_counts AS counted (form, sender, hour, uses)
SELECT %(form)s, sender, %(hour)s, 1 FROM unnest(%(senders)s::text[]) AS senders (sender) ORDER BY sender
ON CONFLICT (form, sender, hour) DO UPDATE SET uses = counted.uses + 1
RETURNING sender, uses

-- name: delete_form_counts
-- Removes the counts of hours that are over.
DELETE FROM public_form_counts WHERE hour < %(before)s

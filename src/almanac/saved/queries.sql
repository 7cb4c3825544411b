-- name: add_saved
-- Insert a saved query.
INSERT INTO saved_queries (id, owner_id, name, query, kinds, filters, sort, created_at, updated_at)
VALUES (%(id)s, %(owner_id)s, %(name)s, %(query)s, %(kinds)s, %(filters)s, %(sort)s, %(now)s, %(now)s)

-- name: find_saved
-- One saved query with its alert.
SELECT q.id, q.owner_id, q.name, q.query, q.kinds, q.filters, q.sort, q.version, q.feed_generation, q.public_name,
       q.public_since, q.created_at, q.updated_at, a.frequency, a.hour, a.time_zone, a.next_due_at, a.looked_back_to, a.last_run_at, a.last_sent_at,
       a.stopped_at, a.stopped_why
FROM saved_queries q LEFT JOIN saved_alerts a ON a.saved_id = q.id
WHERE q.id = %(id)s

-- name: lock_saved
-- Lock a saved query and its alert until the transaction ends.
SELECT id FROM saved_queries WHERE id = %(id)s FOR UPDATE

-- name: list_saved
-- A person's saved queries by name.
SELECT q.id, q.owner_id, q.name, q.query, q.kinds, q.filters, q.sort, q.version, q.feed_generation, q.public_name,
       q.public_since, q.created_at, q.updated_at, a.frequency, a.hour, a.time_zone, a.next_due_at, a.looked_back_to, a.last_run_at, a.last_sent_at,
       a.stopped_at, a.stopped_why
FROM saved_queries q LEFT JOIN saved_alerts a ON a.saved_id = q.id
WHERE q.owner_id = %(owner_id)s ORDER BY lower(q.name), q.id

-- name: count_saved
-- The number of a person's saved queries.
SELECT count(*) FROM saved_queries WHERE owner_id = %(owner_id)s

-- name: update_saved
-- Update the fields that an edit may change.
UPDATE saved_queries
SET name = %(name)s, query = %(query)s, kinds = %(kinds)s, filters = %(filters)s, sort = %(sort)s,
    version = version + 1, updated_at = %(now)s
WHERE id = %(id)s

-- name: delete_saved
-- Delete a saved query with its alert.
DELETE FROM saved_queries WHERE id = %(id)s

-- name: open_feed
-- Give the feed a new secret address; an earlier one stops working.
UPDATE saved_queries SET feed_generation = last_feed_generation + 1, last_feed_generation = last_feed_generation + 1
WHERE id = %(id)s

-- name: close_feed
-- Close the feed.
UPDATE saved_queries SET feed_generation = NULL WHERE id = %(id)s

-- name: publish_saved
-- Let anyone read a saved query under a name; a name that is taken gets the end of the id.
UPDATE saved_queries AS q
SET public_name = CASE
        WHEN EXISTS (SELECT FROM saved_queries AS o WHERE o.public_name = %(name)s AND o.id <> q.id)
        THEN %(name)s || '-' || right(q.id, 6)
        ELSE %(name)s
    END,
    public_since = %(now)s
WHERE q.id = %(id)s AND q.public_name IS NULL

-- name: withdraw_saved
-- Make a saved query private again.
UPDATE saved_queries SET public_name = NULL, public_since = NULL WHERE id = %(id)s

-- name: set_alert
-- Insert or reschedule an alert.
INSERT INTO saved_alerts (saved_id, frequency, hour, time_zone, next_due_at, looked_back_to)
VALUES (%(saved_id)s, %(frequency)s, %(hour)s, %(time_zone)s, %(next_due_at)s, %(looked_back_to)s)
ON CONFLICT (saved_id) DO UPDATE
SET frequency = EXCLUDED.frequency, hour = EXCLUDED.hour, time_zone = EXCLUDED.time_zone,
    next_due_at = EXCLUDED.next_due_at, looked_back_to = EXCLUDED.looked_back_to, stopped_at = NULL, stopped_why = NULL

-- name: stop_alert
-- Stop an alert with the reason.
UPDATE saved_alerts SET stopped_at = %(now)s, stopped_why = %(why)s WHERE saved_id = %(saved_id)s AND stopped_at IS NULL

-- name: claim_due_alerts
-- Due alerts, each claimed by one worker.
SELECT saved_id, frequency, hour, time_zone FROM saved_alerts
WHERE stopped_at IS NULL AND next_due_at <= %(now)s
ORDER BY next_due_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED

-- name: set_next_due
-- Set when an alert runs next.
UPDATE saved_alerts SET next_due_at = %(next_due_at)s WHERE saved_id = %(saved_id)s

-- name: record_alert_run
-- Record a run of an alert, how far back it checked, and whether it sent a mail.
UPDATE saved_alerts
SET last_run_at = %(now)s, looked_back_to = %(looked_back_to)s,
    last_sent_at = CASE WHEN %(sent)s THEN %(now)s ELSE last_sent_at END
WHERE saved_id = %(saved_id)s

-- name: delete_seen_documents
-- Delete the documents an alert has seen.
DELETE FROM saved_seen WHERE saved_id = %(saved_id)s

-- name: add_seen_documents
-- Mark documents as seen; returns the new ones.
INSERT INTO saved_seen (saved_id, kind, document_id, seen_at)
SELECT %(saved_id)s, kind, document_id, %(now)s
FROM unnest(%(kinds)s::text[], %(ids)s::text[]) AS documents (kind, document_id)
ON CONFLICT DO NOTHING
RETURNING kind, document_id

-- name: hand_over_saved
-- Give a person's saved queries to another. Their feeds close: the former owner knows the addresses.
UPDATE saved_queries SET owner_id = %(to_id)s, feed_generation = NULL, version = version + 1, updated_at = %(now)s
WHERE owner_id = %(from_id)s

-- name: add_endpoint
-- Insert an endpoint.
INSERT INTO webhook_endpoints (id, url, description, events, created_by, created_at, updated_at)
VALUES (%(id)s, %(url)s, %(description)s, %(events)s, %(created_by)s, %(now)s, %(now)s)

-- name: find_endpoint
-- One endpoint by id.
SELECT id, url, description, events, version, secret_generation, old_secret_until, active, disabled_at, disabled_why,
       failing_since, created_by, created_at, updated_at
FROM webhook_endpoints WHERE id = %(id)s

-- name: lock_endpoint
-- One endpoint by id, locked until the transaction ends.
SELECT id, url, description, events, version, secret_generation, old_secret_until, active, disabled_at, disabled_why,
       failing_since, created_by, created_at, updated_at
FROM webhook_endpoints WHERE id = %(id)s FOR UPDATE

-- name: list_endpoints
-- All endpoints, oldest first.
SELECT id, url, description, events, version, secret_generation, old_secret_until, active, disabled_at, disabled_why,
       failing_since, created_by, created_at, updated_at
FROM webhook_endpoints ORDER BY id

-- name: update_endpoint
-- Update the fields that an edit may change.
UPDATE webhook_endpoints
SET url = %(url)s, description = %(description)s, events = %(events)s, version = version + 1, updated_at = %(now)s
WHERE id = %(id)s

-- name: rotate_secret
-- Switch to the next secret; the previous one stays valid for a while.
UPDATE webhook_endpoints
SET secret_generation = secret_generation + 1, old_secret_until = %(until)s, version = version + 1, updated_at = %(now)s
WHERE id = %(id)s

-- name: disable_endpoint
-- Disable an endpoint with the reason.
UPDATE webhook_endpoints
SET active = false, disabled_at = %(now)s, disabled_why = %(why)s, version = version + 1, updated_at = %(now)s
WHERE id = %(id)s AND active

-- name: enable_endpoint
-- Enable an endpoint and clear its failing state.
UPDATE webhook_endpoints
SET active = true, disabled_at = NULL, disabled_why = '', failing_since = NULL, version = version + 1,
    updated_at = %(now)s
WHERE id = %(id)s AND NOT active

-- name: delete_endpoint
-- Delete an endpoint with its deliveries.
DELETE FROM webhook_endpoints WHERE id = %(id)s

-- name: list_endpoint_ids_for
-- The active endpoints subscribed to an event, locked so that none is deleted before its delivery is written.
SELECT id FROM webhook_endpoints WHERE active AND events @> ARRAY[%(event)s] ORDER BY id FOR KEY SHARE

-- name: add_event
-- Insert an event with its body.
INSERT INTO webhook_events (id, name, body, created_at) VALUES (%(id)s, %(name)s, %(body)s, %(now)s)

-- name: add_delivery
-- Insert a delivery of an event to an endpoint.
INSERT INTO webhook_deliveries (id, endpoint_id, event_id, state, created_at)
VALUES (%(id)s, %(endpoint_id)s, %(event_id)s, 'waiting', %(now)s)

-- name: find_pending_delivery
-- A delivery that hasn't succeeded yet, with its event.
SELECT d.id AS delivery_id, d.endpoint_id, e.name AS event, e.body
FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
WHERE d.id = %(id)s AND d.state <> 'delivered'

-- name: next_attempt_number
-- Take the next attempt number of a delivery.
UPDATE webhook_deliveries SET attempts = attempts + 1 WHERE id = %(id)s RETURNING attempts

-- name: add_attempt
-- Insert an attempt.
INSERT INTO webhook_attempts (delivery_id, number, attempted_at, milliseconds, answer, reason)
VALUES (%(delivery_id)s, %(number)s, %(attempted_at)s, %(milliseconds)s, %(answer)s, %(reason)s)

-- name: set_delivery_state
-- Set the state of a delivery.
UPDATE webhook_deliveries SET state = %(state)s, reason = %(reason)s, finished_at = %(finished_at)s WHERE id = %(id)s

-- name: record_success
-- Clear the failing state of an endpoint.
UPDATE webhook_endpoints SET failing_since = NULL WHERE id = %(id)s AND failing_since IS NOT NULL

-- name: record_failure
-- Mark an endpoint as failing since its first failure after the last success.
UPDATE webhook_endpoints SET failing_since = COALESCE(failing_since, %(now)s) WHERE id = %(id)s RETURNING failing_since

-- name: list_deliveries
-- A page of deliveries to an endpoint, newest first, optionally in one state.
SELECT d.id, d.endpoint_id, d.event_id, e.name AS event, d.state, d.attempts, d.reason, d.created_at, d.finished_at,
       a.answer, a.milliseconds
FROM webhook_deliveries d
JOIN webhook_events e ON e.id = d.event_id
LEFT JOIN webhook_attempts a ON a.delivery_id = d.id AND a.number = d.attempts
WHERE d.endpoint_id = %(endpoint_id)s
  AND (%(state)s::text IS NULL OR d.state = %(state)s)
  AND (%(before)s::text IS NULL OR d.id < %(before)s)
ORDER BY d.id DESC
LIMIT %(limit)s

-- name: find_delivery
-- One delivery.
SELECT d.id, d.endpoint_id, d.event_id, e.name AS event, d.state, d.attempts, d.reason, d.created_at, d.finished_at,
       a.answer, a.milliseconds
FROM webhook_deliveries d
JOIN webhook_events e ON e.id = d.event_id
LEFT JOIN webhook_attempts a ON a.delivery_id = d.id AND a.number = d.attempts
WHERE d.id = %(id)s

-- name: find_event_body
-- The exact body of an event.
SELECT body FROM webhook_events WHERE id = %(id)s

-- name: list_attempts
-- The attempts at a delivery, newest first.
SELECT number, attempted_at, milliseconds, answer, reason
FROM webhook_attempts WHERE delivery_id = %(delivery_id)s ORDER BY number DESC

-- name: prune_events
-- Delete old events with their deliveries, except those still waiting.
DELETE FROM webhook_events
WHERE created_at < %(before)s
  AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = webhook_events.id AND d.state = 'waiting')

-- name: add_event
-- Write what happened, unless the same thing is open already, or it is about a principal without an account.
INSERT INTO notification_events (id, kind, key, user_id, actor_id, facts)
SELECT %(id)s, %(kind)s, %(key)s, %(user_id)s, %(actor_id)s, %(facts)s
WHERE %(user_id)s::text IS NULL OR EXISTS (SELECT FROM users WHERE id = %(user_id)s)
ON CONFLICT (kind, key) WHERE settled_at IS NULL DO NOTHING;

-- name: settle_event
-- What happened needs nobody any more.
UPDATE notification_events SET settled_at = now() WHERE kind = %(kind)s AND key = %(key)s AND settled_at IS NULL;

-- name: reopen_event
-- It needs somebody again, as before: whoever was told of it isn't told once more.
UPDATE notification_events SET settled_at = NULL
WHERE id = (SELECT id FROM notification_events WHERE kind = %(kind)s AND key = %(key)s ORDER BY created_at DESC, id DESC LIMIT 1)
    AND NOT EXISTS (SELECT FROM notification_events WHERE kind = %(kind)s AND key = %(key)s AND settled_at IS NULL);

-- name: lock_unsorted_events
-- Events that nobody was chosen for yet, oldest first, passing over those that another worker sorts.
SELECT id, kind, key, user_id, actor_id, facts FROM notification_events
WHERE sorted_at IS NULL
ORDER BY id LIMIT %(limit)s
FOR UPDATE SKIP LOCKED;

-- name: mark_sorted
-- These events have their messages.
UPDATE notification_events SET sorted_at = now() WHERE id = ANY(%(ids)s);

-- name: find_requester
-- Who made a request, by what the audit log says about the minutes around it.
SELECT a.actor_id FROM audit_entries AS a JOIN users AS u ON u.id = a.actor_id
WHERE a.request_id = %(request_id)s
    AND a.recorded_at BETWEEN %(moment)s::timestamptz - interval '5 minutes' AND %(moment)s::timestamptz + interval '5 minutes'
ORDER BY a.recorded_at LIMIT 1;

-- name: set_event_person
-- The event turned out to be about one person's own work.
UPDATE notification_events SET user_id = %(user_id)s WHERE id = %(id)s;

-- name: list_open_events
-- What is open of a kind: what a message of it tells the number of.
SELECT id, kind, key, user_id, actor_id, facts FROM notification_events
WHERE kind = %(kind)s AND settled_at IS NULL
ORDER BY id DESC LIMIT %(limit)s;

-- name: list_events_of
-- The events of a message that still need somebody.
SELECT e.id, e.kind, e.key, e.user_id, e.actor_id, e.facts
FROM notification_items AS i JOIN notification_events AS e ON e.id = i.event_id
WHERE i.notification_id = %(id)s AND e.settled_at IS NULL
ORDER BY e.id;

-- name: find_settings
-- What a person chose.
SELECT choices, quiet_from, quiet_to, titles, morning_hour, morning_days, morning_when_empty, version FROM notification_settings WHERE user_id = %(user_id)s;

-- name: save_settings
-- Keep what a person chose, if nobody changed it since it was read.
INSERT INTO notification_settings
    (user_id, choices, quiet_from, quiet_to, titles, morning_hour, morning_days, morning_when_empty, version, updated_at)
VALUES (
    %(user_id)s, %(choices)s, %(quiet_from)s, %(quiet_to)s, %(titles)s, %(morning_hour)s, %(morning_days)s,
    %(morning_when_empty)s, %(expected)s + 1, %(now)s
)
ON CONFLICT (user_id) DO UPDATE
SET choices = excluded.choices, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, titles = excluded.titles,
    morning_hour = excluded.morning_hour, morning_days = excluded.morning_days,
    morning_when_empty = excluded.morning_when_empty, version = excluded.version, updated_at = excluded.updated_at
WHERE notification_settings.version = %(expected)s;

-- name: list_morning_choices
-- Who wants their day as a mail, and when, since when they chose it, and which day they last got or were spared.
SELECT s.user_id, s.morning_hour AS hour, s.morning_days AS days, s.morning_when_empty AS when_empty,
    s.updated_at AS chosen_at, (SELECT max(m.day) FROM morning_mails AS m WHERE m.user_id = s.user_id) AS last_day
FROM notification_settings AS s
WHERE s.morning_hour IS NOT NULL
ORDER BY s.user_id;

-- name: claim_morning
-- The one morning mail of a person's day; no row if it was claimed before.
INSERT INTO morning_mails (user_id, day, sent, created_at) VALUES (%(user_id)s, %(day)s, %(sent)s, %(now)s)
ON CONFLICT (user_id, day) DO NOTHING;

-- name: prune_morning_mails
-- Forget old claims; the day is long over.
DELETE FROM morning_mails WHERE created_at < %(before)s;

-- name: list_addresses
-- The addresses of a person.
SELECT channel, shown, failing_since, failing_why FROM notification_addresses WHERE user_id = %(user_id)s;

-- name: find_address
-- One address, sealed.
SELECT sealed, generation FROM notification_addresses WHERE user_id = %(user_id)s AND channel = %(channel)s;

-- name: save_address
-- Set an address; a new one has a new secret.
INSERT INTO notification_addresses (user_id, channel, sealed, shown, updated_at)
VALUES (%(user_id)s, %(channel)s, %(sealed)s, %(shown)s, %(now)s)
ON CONFLICT (user_id, channel) DO UPDATE
SET sealed = excluded.sealed, shown = excluded.shown, generation = notification_addresses.generation + 1,
    failing_since = NULL, failing_why = '', updated_at = excluded.updated_at
RETURNING generation;

-- name: delete_address
-- Forget an address.
DELETE FROM notification_addresses WHERE user_id = %(user_id)s AND channel = %(channel)s;

-- name: mark_address
-- How the last message to an address went.
UPDATE notification_addresses
SET failing_since = CASE WHEN %(why)s = '' THEN NULL ELSE coalesce(failing_since, %(now)s) END, failing_why = %(why)s
WHERE user_id = %(user_id)s AND channel = %(channel)s;

-- name: list_devices
-- The browsers of a person that get push messages.
SELECT id, session_id, service, user_agent, created_at, last_sent_at, failing_why FROM push_devices
WHERE user_id = %(user_id)s ORDER BY id;

-- name: find_device
-- What a push message to a browser needs.
SELECT sealed FROM push_devices WHERE id = %(id)s AND user_id = %(user_id)s;

-- name: save_device
-- Push to a browser from now on. One that somebody else used before is theirs no more.
INSERT INTO push_devices (id, user_id, session_id, endpoint_hash, sealed, service, user_agent, created_at)
VALUES (%(id)s, %(user_id)s, %(session_id)s, %(endpoint_hash)s, %(sealed)s, %(service)s, %(user_agent)s, %(now)s)
ON CONFLICT ON CONSTRAINT push_devices_endpoint_is_unique DO UPDATE
SET id = excluded.id, user_id = excluded.user_id, session_id = excluded.session_id, sealed = excluded.sealed,
    user_agent = excluded.user_agent, failing_why = ''
RETURNING id;

-- name: delete_device
-- Push to a browser no more.
DELETE FROM push_devices WHERE id = %(id)s AND user_id = %(user_id)s;

-- name: mark_device
-- How the last push message to a browser went.
UPDATE push_devices
SET failing_why = %(why)s, last_sent_at = CASE WHEN %(why)s = '' THEN %(now)s ELSE last_sent_at END
WHERE id = %(id)s;

-- name: last_sent
-- When a person last got a message of a kind by a channel.
SELECT max(finished_at) FROM notifications
WHERE user_id = %(user_id)s AND kind = %(kind)s AND channel = %(channel)s AND target = %(target)s AND state IN ('sent', 'kept')
    AND created_at > %(since)s;

-- name: add_notification
-- The message that waits for this person, kind and channel; a new one if none does.
INSERT INTO notifications (id, user_id, kind, channel, target, state, due_at, created_at)
VALUES (%(id)s, %(user_id)s, %(kind)s, %(channel)s, %(target)s, 'waiting', %(due_at)s, %(now)s)
ON CONFLICT (user_id, kind, channel, target) WHERE state = 'waiting' DO UPDATE SET due_at = notifications.due_at
RETURNING id, due_at;

-- name: add_item
-- Put an event into a message, unless the person got it by this channel already.
INSERT INTO notification_items (user_id, channel, target, event_id, notification_id)
VALUES (%(user_id)s, %(channel)s, %(target)s, %(event_id)s, %(id)s)
ON CONFLICT DO NOTHING;

-- name: delete_if_empty
-- A message without anything to tell.
DELETE FROM notifications AS n
WHERE n.id = %(id)s AND NOT EXISTS (SELECT FROM notification_items AS i WHERE i.notification_id = n.id);

-- name: lock_to_claim
-- One message, if it waits, is due and nobody else claims it at this moment.
SELECT id, user_id, kind, channel, target, attempts FROM notifications
WHERE id = %(id)s AND state = 'waiting' AND due_at <= %(now)s
FOR UPDATE SKIP LOCKED;

-- name: list_due
-- Messages that should have been sent by now.
SELECT id FROM notifications WHERE state = 'waiting' AND due_at <= %(now)s ORDER BY due_at, id LIMIT %(limit)s;

-- name: mark_sending
-- The claim: from here on the message may have left.
UPDATE notifications SET state = 'sending', claim = %(claim)s, lease_until = %(lease_until)s, attempts = attempts + 1
WHERE id = %(id)s;

-- name: finish_unclaimed
-- A waiting message that ends without leaving by a channel of its own.
UPDATE notifications SET state = %(state)s, reason = %(reason)s, finished_at = %(now)s WHERE id = %(id)s AND state = 'waiting';

-- name: finish_claim
-- The outcome of a claim.
UPDATE notifications SET state = %(state)s, reason = %(reason)s, finished_at = %(now)s, lease_until = NULL
WHERE id = %(id)s AND claim = %(claim)s AND state = 'sending';

-- name: lock_lost_claims
-- Messages whose sender vanished between claim and outcome.
SELECT id, user_id, kind, channel, target FROM notifications
WHERE state = 'sending' AND lease_until < %(now)s
FOR UPDATE SKIP LOCKED;

-- name: lock_sending
-- A claimed message whose outcome is known.
SELECT id, user_id, kind, channel, target FROM notifications
WHERE id = %(id)s AND claim = %(claim)s AND state = 'sending'
FOR UPDATE;

-- name: find_newer_waiting
-- The message that began to wait while another was being sent.
SELECT id FROM notifications
WHERE user_id = %(user_id)s AND kind = %(kind)s AND channel = %(channel)s AND target = %(target)s AND state = 'waiting'
FOR UPDATE;

-- name: move_items
-- Events of a message that another tells of instead.
UPDATE notification_items SET notification_id = %(target_id)s WHERE notification_id = %(id)s;

-- name: end_sending
-- Where a claimed message goes that has not been sent.
UPDATE notifications
SET state = %(state)s, reason = %(reason)s, due_at = coalesce(%(due_at)s, due_at), lease_until = NULL,
    finished_at = CASE WHEN %(state)s = 'waiting' THEN NULL ELSE %(now)s::timestamptz END
WHERE id = %(id)s;

-- name: list_notifications
-- The latest messages to a person.
SELECT id, kind, channel, state, due_at, reason, finished_at FROM notifications
WHERE user_id = %(user_id)s ORDER BY id DESC LIMIT %(limit)s;

-- name: prune_events
-- Delete old events with what was sent about them.
DELETE FROM notification_events WHERE created_at < %(before)s AND sorted_at IS NOT NULL;

-- name: prune_notifications
-- Delete old messages.
DELETE FROM notifications WHERE created_at < %(before)s AND state NOT IN ('waiting', 'sending');

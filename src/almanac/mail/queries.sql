-- name: insert_message
-- Queue a message unless its idempotency key was used before.
INSERT INTO mail_messages (
    id, idempotency_key, status, topic, bulk, sender, recipients, subject, content, digest, queued_at, due_at
) VALUES (
    %(id)s, %(idempotency_key)s, 'queued', %(topic)s, %(bulk)s, %(sender)s, %(recipients)s, %(subject)s, %(content)s,
    %(digest)s, %(now)s, %(due_at)s
) ON CONFLICT ON CONSTRAINT mail_messages_key_is_unique DO NOTHING;

-- name: find_by_idempotency_key
-- The message that used a key first.
SELECT id, digest FROM mail_messages WHERE idempotency_key = %(idempotency_key)s;

-- name: lock_to_claim
-- One message, if it waits, is due and nobody else is claiming it at this moment.
SELECT id, topic, bulk, sender, recipients, content, message_id, attempts FROM mail_messages
WHERE id = %(id)s AND status = 'queued' AND due_at <= %(now)s
FOR UPDATE SKIP LOCKED;

-- name: lock_next_due
-- The message that has waited longest, passing over those that others are claiming.
SELECT id, topic, bulk, sender, recipients, content, message_id, attempts FROM mail_messages
WHERE status = 'queued' AND due_at <= %(now)s
ORDER BY due_at, id LIMIT 1
FOR UPDATE SKIP LOCKED;

-- name: mark_sending
-- The claim: from here on the message may have left.
UPDATE mail_messages SET
    status = 'sending', claim = %(claim)s, message_id = %(message_id)s, raw = %(raw)s, envelope_to = %(envelope_to)s,
    transport = %(transport)s, attempts = attempts + 1, claimed_at = %(now)s, lease_until = %(lease_until)s,
    reason = NULL, failure = NULL
WHERE id = %(id)s;

-- name: finish_claim
-- The outcome of a claim, unless a person has settled it in the meantime.
UPDATE mail_messages SET
    status = %(status)s, failure = %(failure)s, reason = %(reason)s,
    provider_id = coalesce(%(provider_id)s, provider_id), due_at = coalesce(%(due_at)s, due_at), lease_until = NULL,
    finished_at = CASE WHEN %(status)s IN ('sent', 'failed') THEN %(now)s::timestamptz END
WHERE id = %(id)s AND claim = %(claim)s AND status IN ('sending', 'unknown');

-- name: fail_unclaimed
-- A waiting message that will not be sent.
UPDATE mail_messages SET status = 'failed', failure = %(failure)s, reason = %(reason)s, finished_at = %(now)s
WHERE id = %(id)s AND status = 'queued';

-- name: expire_leases
-- Senders that vanished between claim and outcome leave messages that may or may not have left.
UPDATE mail_messages SET status = 'unknown', lease_until = NULL, reason = %(reason)s
WHERE status = 'sending' AND lease_until < %(now)s
RETURNING id;

-- name: list_unknown
-- Messages whose outcome this transport may be able to tell, oldest claim first.
SELECT id, message_id FROM mail_messages
WHERE status = 'unknown' AND transport = %(transport)s
ORDER BY claimed_at, id LIMIT %(limit)s;

-- name: settle_unknown
-- The outcome of a message that nobody knew, found out later.
UPDATE mail_messages SET
    status = %(status)s, failure = %(failure)s, reason = %(reason)s, due_at = %(now)s,
    finished_at = CASE WHEN %(status)s IN ('sent', 'failed') THEN %(now)s::timestamptz END
WHERE id = %(id)s AND status = 'unknown';

-- name: prove_sent
-- News about a recipient shows that a mail left, whatever was believed about it before.
UPDATE mail_messages SET status = 'sent', failure = NULL, reason = NULL, finished_at = %(now)s
WHERE id = %(id)s AND status IN ('unknown', 'queued', 'failed') AND claimed_at IS NOT NULL;

-- name: queue_failed_again
-- A failed message gets all its attempts once more; its Message-ID stays. An erased one has nobody to go to, and the
-- failure of a final one stands.
UPDATE mail_messages SET
    status = 'queued', failure = NULL, reason = NULL, attempts = 0, due_at = %(now)s, finished_at = NULL
WHERE id = %(id)s AND status = 'failed' AND NOT %(nobody)s = ANY(recipients)
    AND NOT coalesce((content ->> 'final')::boolean, false);

-- name: erase_messages_to
-- Forget what was written to an address; key, digest and status stay, so that nothing is sent a second time.
UPDATE mail_messages SET
    recipients = ARRAY[%(nobody)s], subject = %(subject)s, content = %(content)s, raw = NULL, envelope_to = NULL,
    reason = CASE WHEN reason IS NOT NULL THEN %(subject)s END
WHERE %(email)s = ANY(recipients) AND status IN ('sent', 'failed')
    AND (%(topic)s::text IS NULL OR topic = %(topic)s)
RETURNING id;

-- name: list_waiting_to
-- Mails of a topic to an address that still wait.
SELECT id FROM mail_messages
WHERE %(email)s = ANY(recipients) AND topic = %(topic)s AND status = 'queued' FOR UPDATE SKIP LOCKED;

-- name: erase_old_messages
-- Forget what some mails of a topic said whose time is over; key, digest and status stay here too.
UPDATE mail_messages SET
    recipients = ARRAY[%(nobody)s], subject = %(subject)s, content = %(content)s, raw = NULL, envelope_to = NULL,
    reason = CASE WHEN reason IS NOT NULL THEN %(subject)s END
WHERE id IN (
    SELECT id FROM mail_messages
    WHERE topic = %(topic)s AND recipients <> ARRAY[%(nobody)s] AND (
        (status = 'sent' AND finished_at < %(sent_before)s) OR (status = 'failed' AND finished_at < %(failed_before)s))
    LIMIT %(limit)s)
RETURNING id;

-- name: erase_events_of
-- Forget whom the events of these messages were about.
UPDATE mail_events SET recipient = CASE WHEN recipient IS NOT NULL THEN %(nobody)s END, detail = ''
WHERE mail_id = ANY(%(ids)s);

-- name: find_status
-- Where a message stands.
SELECT status, reason FROM mail_messages WHERE id = %(id)s;

-- name: insert_event
-- Something happened to a message; an event that came before is left alone.
INSERT INTO mail_events (
    id, mail_id, kind, recipient, permanent, detail, source, source_id, happened_at, recorded_at
) VALUES (
    %(id)s, %(mail_id)s, %(kind)s, %(recipient)s, %(permanent)s, %(detail)s, %(source)s, %(source_id)s,
    %(happened_at)s, %(now)s
) ON CONFLICT ON CONSTRAINT mail_events_source_id_is_unique DO NOTHING;

-- name: list_events
-- What happened to a message, in order.
SELECT kind, recipient, permanent, detail, source, happened_at FROM mail_events WHERE mail_id = %(mail_id)s ORDER BY id;

-- name: find_message_of_event
-- The message that an event is about, by whichever of its names the sender of the event knows.
SELECT id, topic FROM mail_messages
WHERE id = %(mail_id)s OR message_id = %(message_id)s OR provider_id = %(provider_id)s
LIMIT 1;

-- name: list_messages
-- One page of messages, newest first.
SELECT id, status, topic, sender, recipients, subject, attempts, failure, reason, transport, queued_at, due_at,
    finished_at
FROM mail_messages
WHERE (%(status)s::text IS NULL OR status = %(status)s)
    AND (%(kept)s::boolean IS NULL OR coalesce(transport = ANY(%(keeping)s), false) = %(kept)s)
    AND (%(topic)s::text IS NULL OR topic = %(topic)s)
    AND split_part(topic, '.', 1) <> ALL(%(hidden)s::text[])
    AND (%(pattern)s::text IS NULL OR subject ILIKE %(pattern)s OR array_to_string(recipients, ' ') ILIKE %(pattern)s)
    AND (%(before)s::text IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(limit)s;

-- name: find_message
-- One message with its content and bytes.
SELECT id, status, topic, sender, recipients, subject, attempts, failure, reason, transport, queued_at, due_at,
    finished_at, idempotency_key, bulk, content, message_id, provider_id, raw
FROM mail_messages WHERE id = %(id)s;

-- name: kept_among
-- Those of some messages that count as sent and never left this machine.
SELECT id FROM mail_messages WHERE id = ANY(%(ids)s) AND status = 'sent' AND transport = ANY(%(keeping)s);

-- name: count_by_status
-- How many messages stand where, by the way they took.
SELECT status, transport, count(*) AS number FROM mail_messages GROUP BY status, transport;

-- name: summarize_ended
-- What became of mail between two moments, and what is in doubt at all, but for some topics: how many, the last time, and
-- the last reason.
SELECT status, transport, count(*) AS number, max(finished_at) AS last_at,
    (array_agg(reason ORDER BY finished_at DESC) FILTER (WHERE reason IS NOT NULL))[1] AS reason
FROM mail_messages
WHERE ((finished_at >= %(since)s AND finished_at < %(until)s) OR status = 'unknown') AND split_part(topic, '.', 1) <> ALL(%(hidden)s::text[])
GROUP BY status, transport;

-- name: insert_suppression
-- Write to an address no more; one that is in force already stays as it is.
INSERT INTO mail_suppressions (id, email, topic, source, reason, mail_id, added_by, added_at)
VALUES (%(id)s, %(email)s, %(topic)s, %(source)s, %(reason)s, %(mail_id)s, %(added_by)s, %(now)s)
ON CONFLICT (email, topic) WHERE lifted_at IS NULL DO NOTHING;

-- name: lift_suppression
-- Write to an address again.
UPDATE mail_suppressions SET lifted_at = %(now)s, lifted_by = %(lifted_by)s, lifted_why = %(lifted_why)s
WHERE email = %(email)s AND topic = %(topic)s AND lifted_at IS NULL;

-- name: list_suppressions
-- One page of suppressions in force, newest first.
SELECT id, email, topic, source, reason, mail_id, added_by, added_at FROM mail_suppressions
WHERE lifted_at IS NULL
    AND (%(pattern)s::text IS NULL OR email ILIKE %(pattern)s)
    AND (%(before)s::text IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(limit)s;

-- name: suppressed_among
-- Which of these addresses must not get mail of this topic; bulk mail also minds topics.
SELECT DISTINCT ON (email) id, email, topic, source, reason, mail_id, added_by, added_at FROM mail_suppressions
WHERE email = ANY(%(emails)s) AND lifted_at IS NULL AND (topic = '' OR (%(bulk)s AND topic = %(topic)s))
ORDER BY email, topic;

-- name: add_subscriber
-- Insert an address unless it is stored already.
INSERT INTO subscribers (id, email, language, frequency, created_at, asked_on)
VALUES (%(id)s, %(email)s, %(language)s, %(frequency)s, %(now)s, %(today)s)
ON CONFLICT (email) DO NOTHING;

-- name: lock_by_email
-- A subscriber by address, locked until the transaction ends.
SELECT id, email, language, frequency, generation, created_at, last_mail_at FROM subscribers
WHERE email = %(email)s FOR UPDATE;

-- name: lock_subscriber
-- A subscriber by id, locked until the transaction ends.
SELECT id, email, language, frequency, generation, created_at, last_mail_at FROM subscribers
WHERE id = %(id)s FOR UPDATE;

-- name: lock_idle_subscriber
-- A subscriber by id, unless somebody else is working on them at this moment.
SELECT id, email, language, frequency, generation, created_at, last_mail_at FROM subscribers
WHERE id = %(id)s FOR UPDATE SKIP LOCKED;

-- name: count_request
-- Count that a link was asked for; returns how many there are on this day.
UPDATE subscribers SET
    asked = CASE WHEN asked_on = %(today)s THEN asked + 1 ELSE 1 END, asked_on = %(today)s
WHERE id = %(id)s
RETURNING asked;

-- name: count_subscriptions
-- How many things somebody follows or asked to follow.
SELECT count(*) FROM subscriptions WHERE subscriber_id = %(id)s;

-- name: ask_subscription
-- Insert what somebody asks to follow; asking again is the same, unless it is confirmed.
INSERT INTO subscriptions AS present (
    id, subscriber_id, desk, kind, target, label, language, frequency, requested_at
) VALUES (
    %(id)s, %(subscriber_id)s, %(desk)s, %(kind)s, %(target)s, %(label)s, %(language)s, %(frequency)s, %(now)s
)
ON CONFLICT (subscriber_id, desk, kind, target) DO UPDATE SET
    requested_at = CASE WHEN present.confirmed_at IS NULL THEN excluded.requested_at ELSE present.requested_at END,
    language = excluded.language, frequency = excluded.frequency
RETURNING id, desk, kind, target, label, requested_at, confirmed_at;

-- name: find_subscription
-- Whose a subscription is, if it was asked for lately or is confirmed.
SELECT subscriber_id FROM subscriptions
WHERE id = %(id)s AND (confirmed_at IS NOT NULL OR requested_at > %(since)s);

-- name: confirm_subscription
-- Confirm a subscription that was asked for lately; its owner gets the language and frequency that were chosen with it.
WITH confirmed AS (
    UPDATE subscriptions SET confirmed_at = %(now)s
    WHERE id = %(id)s AND confirmed_at IS NULL AND requested_at > %(since)s
    RETURNING subscriber_id, language, frequency
)
UPDATE subscribers SET language = confirmed.language, frequency = confirmed.frequency
FROM confirmed WHERE subscribers.id = confirmed.subscriber_id;

-- name: list_subscriptions
-- What somebody follows, in the order in which they asked for it.
SELECT id, desk, kind, target, label, requested_at, confirmed_at FROM subscriptions
WHERE subscriber_id = %(id)s AND confirmed_at IS NOT NULL ORDER BY id;

-- name: change_subscriber
-- How often and in which language somebody gets mail.
UPDATE subscribers SET language = %(language)s, frequency = %(frequency)s WHERE id = %(id)s;

-- name: renew_links
-- Make every link to the list of somebody's alerts invalid.
UPDATE subscribers SET generation = generation + 1 WHERE id = %(id)s;

-- name: delete_subscription
-- Stop one alert.
DELETE FROM subscriptions WHERE id = %(id)s AND subscriber_id = %(subscriber_id)s;

-- name: delete_subscriber
-- Delete an address with all that belongs to it.
DELETE FROM subscribers WHERE id = %(id)s;

-- name: delete_if_idle
-- Delete an address that follows nothing.
DELETE FROM subscribers WHERE id = %(id)s AND NOT EXISTS (SELECT FROM subscriptions WHERE subscriber_id = %(id)s);

-- name: list_unconfirmed
-- Whose requests nobody confirmed in time.
SELECT DISTINCT subscriber_id FROM subscriptions WHERE confirmed_at IS NULL AND requested_at <= %(before)s
LIMIT %(limit)s;

-- name: delete_unconfirmed
-- Delete somebody's requests that were not confirmed in time.
DELETE FROM subscriptions
WHERE subscriber_id = %(subscriber_id)s AND confirmed_at IS NULL AND requested_at <= %(before)s;

-- name: delete_old_items
-- Forget what was told long ago; what it was about is not news any more.
DELETE FROM subscriber_items WHERE told_at < %(before)s;

-- name: list_targets
-- What anybody follows among these targets of a kind.
SELECT DISTINCT target FROM subscriptions
WHERE desk = %(desk)s AND kind = %(kind)s AND confirmed_at IS NOT NULL AND target = ANY(%(targets)s);

-- name: list_all_targets
-- What anybody follows of a kind.
SELECT DISTINCT target FROM subscriptions WHERE desk = %(desk)s AND kind = %(kind)s AND confirmed_at IS NOT NULL
ORDER BY target LIMIT %(limit)s;

-- name: add_items
-- Note parts of an item for whoever follows what they are about; a part that is noted already stays as it is.
INSERT INTO subscriber_items (subscriber_id, desk, item, part, subscriptions, added_at)
SELECT followed.subscriber_id, %(desk)s, %(item)s, matched.part, array_agg(DISTINCT followed.id), %(now)s
FROM unnest(%(kinds)s::text[], %(targets)s::text[], %(parts)s::text[]) AS matched (kind, target, part)
JOIN subscriptions AS followed
    ON followed.desk = %(desk)s AND followed.kind = matched.kind AND followed.target = matched.target
    AND followed.confirmed_at IS NOT NULL
GROUP BY followed.subscriber_id, matched.part
ON CONFLICT DO NOTHING;

-- name: list_due
-- Who has something to be told now: at once, or once a day after an hour.
SELECT id FROM subscribers
WHERE EXISTS (SELECT FROM subscriber_items WHERE subscriber_id = subscribers.id AND told_at IS NULL)
    AND (frequency = 'at_once' OR last_mail_at IS NULL OR last_mail_at < %(day_began)s)
    AND id > %(after)s
ORDER BY id LIMIT %(limit)s;

-- name: list_untold
-- What somebody has not been told, with what they follow of it now.
SELECT items.desk, items.item, items.part,
    coalesce(jsonb_agg(jsonb_build_array(followed.kind, followed.target, followed.label) ORDER BY followed.id)
        FILTER (WHERE followed.id IS NOT NULL), '[]') AS follows
FROM subscriber_items AS items
LEFT JOIN subscriptions AS followed
    ON followed.id = ANY(items.subscriptions) AND followed.confirmed_at IS NOT NULL
WHERE items.subscriber_id = %(id)s AND items.told_at IS NULL
GROUP BY items.desk, items.item, items.part
ORDER BY min(items.added_at), items.item, length(items.part), items.part LIMIT %(limit)s;

-- name: mark_told
-- Mark parts of items as told; returns those that nobody had marked.
UPDATE subscriber_items AS items SET told_at = %(now)s
FROM unnest(%(desks)s::text[], %(items)s::text[], %(parts)s::text[]) AS told (desk, item, part)
WHERE items.subscriber_id = %(id)s AND items.told_at IS NULL
    AND items.desk = told.desk AND items.item = told.item AND items.part = told.part
RETURNING items.desk, items.item, items.part;

-- name: record_mail
-- When somebody last got a mail.
UPDATE subscribers SET last_mail_at = %(now)s WHERE id = %(id)s;

-- name: refuse
-- Remember by a hash that an address wants no mail.
INSERT INTO subscriber_refusals (hash, refused_at) VALUES (%(hash)s, %(now)s) ON CONFLICT DO NOTHING;

-- name: is_refused
-- Whether an address wants no mail.
SELECT EXISTS (SELECT FROM subscriber_refusals WHERE hash = %(hash)s);

-- name: count_all
-- How many people get mail, how many alerts they have, and how many addresses wait to be confirmed.
SELECT
    count(DISTINCT subscriber_id) FILTER (WHERE confirmed_at IS NOT NULL) AS people,
    count(*) FILTER (WHERE confirmed_at IS NOT NULL) AS alerts,
    count(*) FILTER (WHERE confirmed_at IS NULL) AS unconfirmed
FROM subscriptions;

-- name: find_by_email
-- A subscriber by address.
SELECT id, email, language, frequency, generation, created_at, last_mail_at FROM subscribers WHERE email = %(email)s;

-- name: find_subscriber
-- A subscriber by id.
SELECT id, email, language, frequency, generation, created_at, last_mail_at FROM subscribers WHERE id = %(id)s;

-- name: list_everything_asked
-- What somebody follows or asked to follow.
SELECT id, desk, kind, target, label, requested_at, confirmed_at FROM subscriptions
WHERE subscriber_id = %(id)s ORDER BY id;

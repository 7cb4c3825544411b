-- part: entries
-- Entries as they are read.
SELECT id, position, recorded_at, actor_id, actor_via, action, object_type, object_id, why, request_id,
       detail::text AS detail_json, digest, previous_hash, hash
FROM audit_entries

-- part: filter
-- What a list and an export may be restricted to; a null restricts nothing.
AND (%(actor_id)s::text IS NULL OR actor_id = %(actor_id)s)
  AND (%(action)s::text IS NULL OR action = %(action)s)
  AND (%(object_type)s::text IS NULL OR object_type = %(object_type)s)
  AND (%(object_id)s::text IS NULL OR object_id = %(object_id)s)
  AND (%(since)s::timestamptz IS NULL OR recorded_at >= %(since)s)
  AND (%(until)s::timestamptz IS NULL OR recorded_at < %(until)s)
  AND (%(person)s::text IS NULL OR actor_id = %(person)s OR actor_id IN (
      SELECT users.id FROM users
      WHERE strpos(lower(users.name), lower(%(person)s)) > 0 OR strpos(users.email, lower(%(person)s)) > 0
  ))

-- name: append_entry
-- Write one entry, once for its id; the database numbers and chains it at commit.
INSERT INTO audit_entries (id, recorded_at, actor_id, actor_via, action, object_type, object_id, why, request_id,
                           detail, digest)
VALUES (%(id)s, %(recorded_at)s, %(actor_id)s, %(actor_via)s, %(action)s, %(object_type)s, %(object_id)s, %(why)s,
        %(request_id)s, %(detail_json)s::json, %(digest)s)
ON CONFLICT (id) DO NOTHING

-- name: list_entries
-- Newest entries before a position that fit the filter; a null restricts nothing.
{{entries}}
WHERE position IS NOT NULL
  AND (%(before)s::bigint IS NULL OR position < %(before)s)
  {{filter}}
ORDER BY position DESC
LIMIT %(limit)s

-- name: export_entries
-- Entries between two positions that fit the filter, in order; a null restricts nothing.
{{entries}}
WHERE position IS NOT NULL
  AND position > %(after)s AND position <= %(upto)s
  {{filter}}
ORDER BY position
LIMIT %(limit)s

-- name: entries_after
-- The chain in order, from after a position, to check it piece by piece.
{{entries}}
WHERE position > %(after)s
ORDER BY position
LIMIT %(limit)s

-- name: chain_head
-- Where the chain ends according to its own account.
SELECT position, hash FROM audit_head

-- name: list_actions
-- Every kind of action that ever happened, to fill a filter.
WITH RECURSIVE listed AS (
    (SELECT action FROM audit_entries ORDER BY action LIMIT 1)
    UNION ALL
    SELECT (SELECT action FROM audit_entries WHERE action > listed.action ORDER BY action LIMIT 1)
    FROM listed WHERE listed.action IS NOT NULL
)
SELECT action FROM listed WHERE action IS NOT NULL

-- name: list_actors
-- Everybody who ever did something, to fill a filter; the name is null where it isn't a person.
WITH RECURSIVE listed AS (
    (SELECT actor_id FROM audit_entries ORDER BY actor_id LIMIT 1)
    UNION ALL
    SELECT (SELECT actor_id FROM audit_entries WHERE actor_id > listed.actor_id ORDER BY actor_id LIMIT 1)
    FROM listed WHERE listed.actor_id IS NOT NULL
)
SELECT listed.actor_id, users.name FROM listed LEFT JOIN users ON users.id = listed.actor_id
WHERE listed.actor_id IS NOT NULL
ORDER BY lower(users.name)

-- name: list_names
-- What the people are called whom entries are by or about.
SELECT id, name FROM users WHERE id = ANY(%(ids)s)

-- name: summarize_actions
-- What was done between two moments, by action and person: how often, the last time, and the last reason that was given.
-- Of some actions everybody's, of others one person's or, without one, everybody's too.
SELECT a.action, a.actor_id, u.name AS actor_name, count(*) AS number, max(a.recorded_at) AS last_at,
    (array_agg(a.why ORDER BY a.recorded_at DESC) FILTER (WHERE a.why <> ''))[1] AS why
FROM audit_entries AS a LEFT JOIN users AS u ON u.id = a.actor_id
WHERE a.recorded_at >= %(since)s AND a.recorded_at < %(until)s
    AND (
        a.action = ANY(%(open_actions)s)
        OR (a.action = ANY(%(actions)s) AND (%(actor_id)s::text IS NULL OR a.actor_id = %(actor_id)s))
    )
GROUP BY a.action, a.actor_id, u.name
ORDER BY last_at DESC

-- name: list_subject_names
-- What people, teams, tokens, webhooks and shared knowledge sources are called now, with their kind.
SELECT 'user' AS kind, id, name FROM users WHERE id = ANY(%(ids)s)
UNION ALL SELECT 'team', id, name FROM teams WHERE id = ANY(%(ids)s)
UNION ALL SELECT 'token', id, name FROM api_tokens WHERE id = ANY(%(ids)s)
UNION ALL SELECT 'webhook', id, description FROM webhook_endpoints WHERE id = ANY(%(ids)s)
UNION ALL SELECT 'knowledge', id, title FROM knowledge_sources WHERE id = ANY(%(ids)s) AND visibility = 'everyone'

-- part: person
-- What users and principals have in common, of the user `u`.
u.name, u.email, u.role, u.theme, u.language, u.time_zone, u.toured_at IS NOT NULL AS toured,
       ARRAY(SELECT d.desk || ':' || array_to_string(d.actions, ',') FROM desk_rights d WHERE d.user_id = u.id) AS own_rights,
       ARRAY(
           SELECT r.desk || ':' || array_to_string(r.actions, ',')
           FROM team_members m JOIN team_rights r ON r.team_id = m.team_id WHERE m.user_id = u.id
       ) AS team_rights

-- part: users
-- People with all that is told of them.
SELECT u.id, u.active, u.password_hash IS NOT NULL AS has_password, u.version, u.created_at, u.updated_at,
       u.last_signed_in_at, {{person}}
FROM users u

-- name: find_user
-- One person by id.
{{users}} WHERE id = %(id)s

-- name: lock_user
-- One person by id, kept from changing until the transaction ends.
{{users}} WHERE id = %(id)s FOR UPDATE

-- name: find_user_by_email
-- One person by the address they sign in with.
{{users}} WHERE email = %(email)s

-- name: find_user_by_subject
-- One person by their identity at the OpenID Connect issuer.
{{users}} WHERE oidc_issuer = %(issuer)s AND oidc_subject = %(subject)s

-- name: list_users
-- People by name, after a position, that fit the filter; a null restricts nothing.
{{users}}
WHERE (%(after_name)s::text IS NULL OR (lower(name), id) > (lower(%(after_name)s), %(after_id)s))
  AND (%(role)s::text IS NULL OR role = %(role)s)
  AND (%(active)s::boolean IS NULL OR active = %(active)s)
  AND (%(signed_in)s::boolean IS NULL OR (last_signed_in_at IS NOT NULL) = %(signed_in)s)
  AND (%(text)s::text IS NULL OR strpos(lower(name), lower(%(text)s)) > 0 OR strpos(email, lower(%(text)s)) > 0)
ORDER BY lower(name), id
LIMIT %(limit)s

-- name: lock_roles
-- Let one transaction at a time change who is an administrator; taken before any row, so that nobody waits in a circle.
SELECT pg_advisory_xact_lock(7162018041)

-- name: active_admins
-- All active administrators, who stay that while the roles are locked.
SELECT id FROM users WHERE role = 'admin' AND active ORDER BY id

-- name: an_admin_can_sign_in
-- Whether any active administrator has a password, a passkey or a single sign-on identity.
SELECT EXISTS (
    SELECT FROM users u WHERE role = 'admin' AND active AND (
        password_hash IS NOT NULL OR oidc_subject IS NOT NULL OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id)
    )
)

-- name: add_user
-- A new person.
INSERT INTO users (id, email, name, role, password_hash, created_at, updated_at)
VALUES (%(id)s, %(email)s, %(name)s, %(role)s, %(password_hash)s, %(now)s, %(now)s)

-- name: update_user
-- What an edit may change about a person.
UPDATE users
SET name = %(name)s, email = %(email)s, role = %(role)s, active = %(active)s, version = version + 1, updated_at = %(now)s
WHERE id = %(id)s

-- name: set_preferences
-- How a person wants to see things.
UPDATE users
SET theme = %(theme)s, language = %(language)s, time_zone = %(time_zone)s, version = version + 1, updated_at = %(now)s
WHERE id = %(id)s

-- name: end_tour
-- The tour was ended; the first time counts. No edit of the person: the version stays.
UPDATE users SET toured_at = coalesce(toured_at, %(now)s) WHERE id = %(id)s

-- name: set_password
-- A person's new password hash.
UPDATE users SET password_hash = %(password_hash)s, version = version + 1, updated_at = %(now)s WHERE id = %(id)s

-- name: refresh_password_hash
-- The same password hashed at today's cost, unless it was changed meanwhile.
UPDATE users SET password_hash = %(fresh)s WHERE id = %(id)s AND password_hash = %(stale)s

-- name: password_hash_of
-- The stored hash of an active person, to check a password against.
SELECT id, password_hash FROM users WHERE email = %(email)s AND active AND password_hash IS NOT NULL

-- name: attach_subject
-- Tie a person to their identity at the OpenID Connect issuer, unless they have one there.
UPDATE users SET oidc_issuer = %(issuer)s, oidc_subject = %(subject)s WHERE id = %(id)s AND oidc_subject IS NULL

-- name: mark_signed_in
-- When the person signed in last.
UPDATE users SET last_signed_in_at = %(now)s WHERE id = %(id)s

-- name: add_session
-- A browser that has just signed in.
INSERT INTO sessions (id, user_id, token_hash, address, user_agent, method, created_at, last_seen_at, proven_at, expires_at)
VALUES (%(id)s, %(user_id)s, %(token_hash)s, %(address)s, %(user_agent)s, %(method)s, %(now)s, %(now)s, %(now)s,
        %(expires_at)s)

-- name: principal_of_session
-- The active person behind a session that is neither over nor idle for too long.
SELECT s.id AS session_id, s.last_seen_at, s.method, s.proven_at,
       EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id) AS two_step,
       u.id AS user_id, {{person}}
FROM sessions s JOIN users u ON u.id = s.user_id
WHERE s.token_hash = %(token_hash)s AND u.active AND s.expires_at > %(now)s AND s.last_seen_at > %(idle_since)s

-- name: touch_session
-- Note that a session is in use.
UPDATE sessions SET last_seen_at = %(now)s WHERE id = %(id)s AND last_seen_at < %(now)s

-- name: list_sessions
-- A person's sessions that still work, the latest used first.
SELECT id, user_id, created_at, last_seen_at, expires_at, address, user_agent, method
FROM sessions
WHERE user_id = %(user_id)s AND expires_at > %(now)s AND last_seen_at > %(idle_since)s
ORDER BY last_seen_at DESC, id DESC

-- name: end_session
-- End one session of a person.
DELETE FROM sessions WHERE id = %(id)s AND user_id = %(user_id)s

-- name: end_session_by_token
-- End the session that holds a token; returns whose it was.
DELETE FROM sessions WHERE token_hash = %(token_hash)s RETURNING user_id

-- name: end_sessions
-- End a person's sessions, all or all but one.
DELETE FROM sessions WHERE user_id = %(user_id)s AND (%(keep)s::text IS NULL OR id <> %(keep)s)

-- name: add_token
-- A new API token.
INSERT INTO api_tokens (id, user_id, name, prefix, token_hash, scopes, created_at, expires_at)
VALUES (%(id)s, %(user_id)s, %(name)s, %(prefix)s, %(token_hash)s, %(scopes)s, %(now)s, %(expires_at)s)

-- name: find_token
-- One API token by id.
SELECT id, user_id, name, prefix, scopes, created_at, expires_at, last_used_at, revoked_at
FROM api_tokens WHERE id = %(id)s

-- name: list_tokens
-- API tokens of one person, or of everybody, the newest first; revoked ones stay to be seen.
SELECT id, user_id, name, prefix, scopes, created_at, expires_at, last_used_at, revoked_at
FROM api_tokens
WHERE %(user_id)s::text IS NULL OR user_id = %(user_id)s
ORDER BY id DESC

-- name: principal_of_token
-- The active person behind an API token that is neither revoked nor over.
SELECT t.id AS token_id, t.scopes, t.last_used_at,
       u.id AS user_id, {{person}}
FROM api_tokens t JOIN users u ON u.id = t.user_id
WHERE t.token_hash = %(token_hash)s AND u.active AND t.revoked_at IS NULL
  AND (t.expires_at IS NULL OR t.expires_at > %(now)s)

-- name: touch_token
-- Note that an API token is in use.
UPDATE api_tokens SET last_used_at = %(now)s
WHERE id = %(id)s AND (last_used_at IS NULL OR last_used_at < %(now)s)

-- name: revoke_token
-- End one API token for good.
UPDATE api_tokens SET revoked_at = %(now)s WHERE id = %(id)s AND revoked_at IS NULL

-- name: revoke_tokens
-- End all API tokens of a person for good.
UPDATE api_tokens SET revoked_at = %(now)s WHERE user_id = %(user_id)s AND revoked_at IS NULL

-- name: add_link
-- A new one-time link.
INSERT INTO account_links (id, user_id, purpose, email, token_hash, created_at, expires_at)
VALUES (%(id)s, %(user_id)s, %(purpose)s, %(email)s, %(token_hash)s, %(now)s, %(expires_at)s)

-- name: find_open_link
-- A link that would still work for an active person.
SELECT l.id, l.user_id, l.purpose, l.expires_at, l.email
FROM account_links l JOIN users u ON u.id = l.user_id
WHERE l.token_hash = %(token_hash)s AND l.used_at IS NULL AND l.expires_at > %(now)s AND u.active

-- name: use_link
-- Use a link up. Of any number of attempts at once, one changes a row.
UPDATE account_links SET used_at = %(now)s
WHERE token_hash = %(token_hash)s AND used_at IS NULL AND expires_at > %(now)s

-- name: void_links
-- Make a person's unused links useless: those for one purpose, or all.
UPDATE account_links SET used_at = %(now)s
WHERE user_id = %(user_id)s AND used_at IS NULL AND (%(purpose)s::text IS NULL OR purpose = %(purpose)s)

-- name: open_tally
-- Make sure that a key has a tally, so that it can be locked.
INSERT INTO sign_in_tallies (key, failures, last_attempt_at) VALUES (%(key)s, 0, %(now)s) ON CONFLICT (key) DO NOTHING

-- name: lock_tally
-- The tally of a key, kept from changing until the transaction ends.
SELECT key, failures, last_attempt_at, blocked_until FROM sign_in_tallies WHERE key = %(key)s FOR UPDATE

-- name: save_tally
-- The tally after one more attempt, or one fewer.
UPDATE sign_in_tallies
SET failures = %(failures)s, last_attempt_at = %(last_attempt_at)s, blocked_until = %(blocked_until)s
WHERE key = %(key)s

-- name: clear_tally
-- Forget the failures of a key.
DELETE FROM sign_in_tallies WHERE key = %(key)s

-- name: add_flow
-- A sign-on that begins.
INSERT INTO oidc_flows (state_hash, nonce, verifier, return_to, expires_at)
VALUES (%(state_hash)s, %(nonce)s, %(verifier)s, %(return_to)s, %(expires_at)s)

-- name: take_flow
-- Take a sign-on out. Of any number of answers at once, one gets a row.
DELETE FROM oidc_flows WHERE state_hash = %(state_hash)s RETURNING nonce, verifier, return_to, expires_at

-- name: sweep_sessions
-- Remove sessions that are over.
DELETE FROM sessions WHERE expires_at <= %(now)s OR last_seen_at <= %(idle_since)s

-- name: sweep_links
-- Remove links that are long over.
DELETE FROM account_links WHERE expires_at <= %(before)s

-- name: sweep_tallies
-- Remove tallies that no rule remembers any more.
DELETE FROM sign_in_tallies WHERE last_attempt_at <= %(before)s AND (blocked_until IS NULL OR blocked_until <= %(now)s)

-- name: sweep_flows
-- Remove sign-ons that nobody finished.
DELETE FROM oidc_flows WHERE expires_at <= %(now)s

-- name: set_own_rights
-- A person's own rights at a desk, in place of what their role gives there.
INSERT INTO desk_rights (user_id, desk, actions, changed_at) VALUES (%(user_id)s, %(desk)s, %(actions)s, %(now)s)
ON CONFLICT (user_id, desk) DO UPDATE SET actions = excluded.actions, changed_at = excluded.changed_at

-- name: clear_own_rights
-- Let the role decide again what a person may do at a desk.
DELETE FROM desk_rights WHERE user_id = %(user_id)s AND desk = %(desk)s

-- name: list_teams
-- Every team by name with the number of its members and its rights at desks.
SELECT id, name, description, version,
       (SELECT count(*) FROM team_members m JOIN users u ON u.id = m.user_id WHERE m.team_id = teams.id AND u.active) AS size,
       ARRAY(SELECT r.desk || ':' || array_to_string(r.actions, ',') FROM team_rights r WHERE r.team_id = teams.id) AS rights
FROM teams ORDER BY lower(name), id

-- name: find_team
-- One team by id.
SELECT id, name, description, version,
       (SELECT count(*) FROM team_members m JOIN users u ON u.id = m.user_id WHERE m.team_id = teams.id AND u.active) AS size,
       ARRAY(SELECT r.desk || ':' || array_to_string(r.actions, ',') FROM team_rights r WHERE r.team_id = teams.id) AS rights
FROM teams WHERE id = %(id)s

-- name: list_teams_of_user
-- The teams that a person is in, by name.
SELECT id, name, description, version,
       (SELECT count(*) FROM team_members m JOIN users u ON u.id = m.user_id WHERE m.team_id = teams.id AND u.active) AS size,
       ARRAY(SELECT r.desk || ':' || array_to_string(r.actions, ',') FROM team_rights r WHERE r.team_id = teams.id) AS rights
FROM teams JOIN team_members own ON own.team_id = teams.id AND own.user_id = %(user_id)s
ORDER BY lower(name), id

-- name: lock_team
-- Keep a team from changing until the transaction ends; returns its version.
SELECT version FROM teams WHERE id = %(id)s FOR UPDATE

-- name: add_team
-- A new team without members and rights.
INSERT INTO teams (id, name, description, created_at, updated_at)
VALUES (%(id)s, %(name)s, %(description)s, %(now)s, %(now)s)

-- name: update_team
-- A team's name and description.
UPDATE teams SET name = %(name)s, description = %(description)s, version = version + 1, updated_at = %(now)s
WHERE id = %(id)s

-- name: delete_team
-- A team with its memberships and rights.
DELETE FROM teams WHERE id = %(id)s

-- name: list_team_members
-- The people of a team, by name.
SELECT u.id, u.name, u.email, u.active
FROM team_members m JOIN users u ON u.id = m.user_id
WHERE m.team_id = %(team_id)s ORDER BY lower(u.name), u.id

-- name: add_team_member
-- Put a person into a team; twice is no error.
INSERT INTO team_members (team_id, user_id, added_at) VALUES (%(team_id)s, %(user_id)s, %(now)s) ON CONFLICT DO NOTHING

-- name: remove_team_member
-- Take a person out of a team.
DELETE FROM team_members WHERE team_id = %(team_id)s AND user_id = %(user_id)s

-- name: set_team_rights
-- What a team may do at a desk.
INSERT INTO team_rights (team_id, desk, actions) VALUES (%(team_id)s, %(desk)s, %(actions)s)
ON CONFLICT (team_id, desk) DO UPDATE SET actions = excluded.actions

-- name: clear_team_rights
-- A team that may do nothing at a desk.
DELETE FROM team_rights WHERE team_id = %(team_id)s AND desk = %(desk)s

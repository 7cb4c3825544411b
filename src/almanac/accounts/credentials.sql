-- name: add_passkey
-- A passkey that a browser has just made.
INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, name, created_at)
VALUES (%(id)s, %(user_id)s, %(credential_id)s, %(public_key)s, %(sign_count)s, %(name)s, %(now)s)

-- name: list_passkeys
-- A person's passkeys, the oldest first.
SELECT id, user_id, name, created_at, last_used_at FROM passkeys WHERE user_id = %(user_id)s ORDER BY created_at, id

-- name: credential_ids_of
-- What browsers know a person's passkeys by.
SELECT credential_id FROM passkeys WHERE user_id = %(user_id)s ORDER BY created_at, id

-- name: lock_passkey
-- The passkey that a browser names, kept from changing until the transaction ends.
SELECT id, user_id, public_key, sign_count FROM passkeys WHERE credential_id = %(credential_id)s FOR UPDATE

-- name: use_passkey
-- Note a use of a passkey.
UPDATE passkeys SET sign_count = %(sign_count)s, last_used_at = %(now)s WHERE id = %(id)s

-- name: rename_passkey
-- A passkey's new name.
UPDATE passkeys SET name = %(name)s WHERE id = %(id)s AND user_id = %(user_id)s

-- name: remove_passkey
-- Take a passkey away from its person.
DELETE FROM passkeys WHERE id = %(id)s AND user_id = %(user_id)s

-- name: remove_passkeys
-- Take all passkeys away from a person.
DELETE FROM passkeys WHERE user_id = %(user_id)s

-- name: find_second_factor
-- Since when a person signs in in two steps, with the sealed secret of their app if they have one.
SELECT since, totp_sealed, totp_step FROM second_factors WHERE user_id = %(user_id)s

-- name: lock_second_factor
-- The same, kept from changing until the transaction ends, so that no code works twice at once.
SELECT since, totp_sealed, totp_step FROM second_factors WHERE user_id = %(user_id)s FOR UPDATE

-- name: start_second_factor
-- From now on the person signs in in two steps; if they do already, only the app is replaced.
INSERT INTO second_factors (user_id, since, totp_sealed, totp_step)
VALUES (%(user_id)s, %(now)s, %(sealed)s, %(step)s)
ON CONFLICT (user_id) DO UPDATE SET totp_sealed = coalesce(%(sealed)s, second_factors.totp_sealed), totp_step = greatest(second_factors.totp_step, %(step)s)

-- name: save_totp_step
-- The half minute of the latest code that was used.
UPDATE second_factors SET totp_step = %(step)s WHERE user_id = %(user_id)s

-- name: end_second_factor
-- The person signs in in one step again.
DELETE FROM second_factors WHERE user_id = %(user_id)s

-- name: add_recovery_code
-- A recovery code, as a hash.
INSERT INTO recovery_codes (user_id, code_hash) VALUES (%(user_id)s, %(code_hash)s)

-- name: use_recovery_code
-- Use a recovery code up. Of any number of attempts at once, one changes a row.
UPDATE recovery_codes SET used_at = %(now)s
WHERE user_id = %(user_id)s AND code_hash = %(code_hash)s AND used_at IS NULL

-- name: count_recovery_codes
-- How many recovery codes a person has left.
SELECT count(*) FROM recovery_codes WHERE user_id = %(user_id)s AND used_at IS NULL

-- name: remove_recovery_codes
-- Forget a person's recovery codes.
DELETE FROM recovery_codes WHERE user_id = %(user_id)s

-- name: add_challenge
-- What a browser must answer in time.
INSERT INTO sign_in_challenges (token_hash, purpose, user_id, secret, method, expires_at)
VALUES (%(token_hash)s, %(purpose)s, %(user_id)s, %(secret)s, %(method)s, %(expires_at)s)

-- name: find_challenge
-- A challenge that can still be answered.
SELECT user_id, secret, method FROM sign_in_challenges
WHERE token_hash = %(token_hash)s AND purpose = %(purpose)s AND expires_at > %(now)s

-- name: take_challenge
-- Take a challenge out. Of any number of answers at once, one gets a row.
DELETE FROM sign_in_challenges
WHERE token_hash = %(token_hash)s AND purpose = %(purpose)s AND expires_at > %(now)s
RETURNING user_id, secret, method

-- name: sweep_challenges
-- Remove challenges that nobody answered.
DELETE FROM sign_in_challenges WHERE expires_at <= %(now)s

-- name: prove_session
-- Note that the person has proven again who they are.
UPDATE sessions SET proven_at = %(now)s WHERE id = %(id)s

-- name: has_identity
-- Whether a person is connected to an identity of single sign-on.
SELECT oidc_subject IS NOT NULL FROM users WHERE id = %(id)s

-- name: claim_key
-- Takes a key for one caller, also one whose request may be tried again; nothing comes back when it is taken already.
INSERT INTO idempotency_keys AS k (caller, key_hash, fingerprint, claimed_at, begun_at)
VALUES (%(caller)s, %(key_hash)s, %(fingerprint)s, %(now)s, %(now)s)
ON CONFLICT (caller, key_hash) DO UPDATE SET claimed_at = excluded.claimed_at, ended = NULL, tries = k.tries + 1
WHERE k.answered_at IS NULL
    AND k.fingerprint = excluded.fingerprint
    AND (k.ended = 'free' OR k.claimed_at < %(given_up_before)s::timestamptz)
RETURNING begun_at, tries

-- name: find_claim
-- The claim that a caller holds under a key, with its answer if there is one.
SELECT fingerprint, claimed_at, ended, status, content_type, location, etag, sealed_body
FROM idempotency_keys
WHERE caller = %(caller)s AND key_hash = %(key_hash)s

-- name: save_answer
-- Stores the answer of a claim, for replays.
UPDATE idempotency_keys
SET answered_at = %(now)s, status = %(status)s, content_type = %(content_type)s, location = %(location)s,
    etag = %(etag)s, sealed_body = %(sealed_body)s
WHERE caller = %(caller)s AND key_hash = %(key_hash)s

-- name: end_claim
-- Notes how a request ended that failed half-way.
UPDATE idempotency_keys SET ended = %(ended)s
WHERE caller = %(caller)s AND key_hash = %(key_hash)s AND answered_at IS NULL

-- name: release_claim
-- Forgets a claim whose request changed nothing.
DELETE FROM idempotency_keys WHERE caller = %(caller)s AND key_hash = %(key_hash)s AND answered_at IS NULL

-- name: delete_expired_keys
-- Removes what no replay of this caller may use any more.
DELETE FROM idempotency_keys WHERE caller = %(caller)s AND claimed_at < %(expired_before)s

-- name: delete_all_expired_keys
-- Removes what no replay of anybody may use any more.
DELETE FROM idempotency_keys WHERE claimed_at < %(expired_before)s

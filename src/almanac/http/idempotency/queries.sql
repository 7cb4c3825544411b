-- name: claim_key
-- Takes a key for one caller, also one whose request may be tried again; nothing comes back when it is taken already. A
-- process that is alive holds the advisory lock with its number; claims of older versions name no process.
INSERT INTO idempotency_keys AS k (caller, key_hash, fingerprint, claimed_at, begun_at, holder)
VALUES (%(caller)s, %(key_hash)s, %(fingerprint)s, %(now)s, %(now)s, %(holder)s)
ON CONFLICT (caller, key_hash) DO UPDATE
SET claimed_at = excluded.claimed_at, holder = excluded.holder, ended = NULL, tries = k.tries + 1
WHERE k.answered_at IS NULL
    AND k.fingerprint = excluded.fingerprint
    AND (
        k.ended = 'free'
        OR (
            k.ended IS NULL
            AND (%(is_repeatable)s OR NOT (k.wrote_here OR k.wrote_elsewhere))
            AND CASE
                WHEN k.holder IS NULL THEN %(is_repeatable)s AND k.claimed_at < %(given_up_before)s
                ELSE NOT EXISTS (
                    SELECT FROM pg_locks
                    WHERE locktype = 'advisory' AND granted AND classid = %(namespace)s AND objid = k.holder
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                )
            END
        )
    )
RETURNING begun_at, tries, wrote_here OR wrote_elsewhere AS has_effects

-- name: find_claim
-- The claim that a caller holds under a key, with its answer if there is one.
SELECT
    fingerprint, claimed_at, ended, status, content_type, location, etag, sealed_body, wrote_here, wrote_elsewhere,
    CASE
        WHEN holder IS NULL THEN claimed_at >= %(given_up_before)s
        ELSE EXISTS (
            SELECT FROM pg_locks
            WHERE locktype = 'advisory' AND granted AND classid = %(namespace)s AND objid = holder
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        )
    END AS is_held
FROM idempotency_keys
WHERE caller = %(caller)s AND key_hash = %(key_hash)s

-- name: note_write_here
-- Notes in a transaction of the request that it has written; touches nothing if another try has taken over.
UPDATE idempotency_keys SET wrote_here = true
WHERE caller = %(caller)s AND key_hash = %(key_hash)s AND tries = %(tries)s AND answered_at IS NULL

-- name: note_write_elsewhere
-- Notes that the request is about to write to another store; touches nothing if another try has taken over.
UPDATE idempotency_keys SET wrote_elsewhere = true
WHERE caller = %(caller)s AND key_hash = %(key_hash)s AND tries = %(tries)s AND answered_at IS NULL

-- name: save_answer
-- Stores the answer of a claim, for replays; touches nothing if another try has taken over.
UPDATE idempotency_keys
SET answered_at = %(now)s, status = %(status)s, content_type = %(content_type)s, location = %(location)s,
    etag = %(etag)s, sealed_body = %(sealed_body)s
WHERE caller = %(caller)s AND key_hash = %(key_hash)s AND tries = %(tries)s AND answered_at IS NULL

-- name: end_claim
-- Notes how a request ended that failed half-way.
UPDATE idempotency_keys SET ended = %(ended)s
WHERE caller = %(caller)s AND key_hash = %(key_hash)s AND tries = %(tries)s AND answered_at IS NULL

-- name: release_claim
-- Forgets a claim whose request changed nothing.
DELETE FROM idempotency_keys
WHERE caller = %(caller)s AND key_hash = %(key_hash)s AND tries = %(tries)s AND answered_at IS NULL

-- name: delete_expired_keys
-- Removes what no replay of this caller may use any more.
DELETE FROM idempotency_keys WHERE caller = %(caller)s AND claimed_at < %(expired_before)s

-- name: delete_all_expired_keys
-- Removes what no replay of anybody may use any more.
DELETE FROM idempotency_keys WHERE claimed_at < %(expired_before)s

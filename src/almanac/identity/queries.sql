-- name: add_installation
-- Gives the installation its id, unless it has one.
INSERT INTO installation (id, secret_fingerprint, created_at) VALUES (%(id)s, %(fingerprint)s, %(now)s)
ON CONFLICT DO NOTHING

-- name: find_installation
-- The installation, if it has been started since it has an id.
SELECT id, secret_fingerprint FROM installation

-- name: accept_secret
-- Takes over a secret key that was changed on purpose.
UPDATE installation SET secret_fingerprint = %(fingerprint)s

-- name: sample_object_keys
-- A few objects that rows name: the oldest and the newest.
(
    SELECT object_key FROM knowledge_sources
    WHERE object_key IS NOT NULL AND removed_at IS NULL ORDER BY id LIMIT 10
)
UNION
(
    SELECT object_key FROM knowledge_sources
    WHERE object_key IS NOT NULL AND removed_at IS NULL ORDER BY id DESC LIMIT 10
)

-- name: database_clock
-- What time it is at the database.
SELECT clock_timestamp() AS now

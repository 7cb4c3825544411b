-- Answers to POSTs that carried an Idempotency-Key, kept for a day so that a repeated request is answered, not redone.

CREATE TABLE idempotency_keys (
    caller text NOT NULL,
    key_hash text NOT NULL,
    fingerprint text NOT NULL,
    claimed_at timestamptz NOT NULL,
    answered_at timestamptz,
    status integer,
    content_type text,
    location text,
    etag text,
    sealed_body bytea,
    PRIMARY KEY (caller, key_hash)
);

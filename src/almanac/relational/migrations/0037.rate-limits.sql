-- What is left of each caller's requests, for all web processes together. Unlogged: it needs no disk to answer, and
-- after a crash of the server everybody starts with a full bucket.

CREATE UNLOGGED TABLE rate_limit_buckets (
    caller text PRIMARY KEY,
    tokens double precision NOT NULL,
    filled_at timestamptz NOT NULL
);

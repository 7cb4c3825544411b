-- Who runs a request with an Idempotency-Key: the number of an advisory lock that its process holds while it lives. What
-- the request has written: in PostgreSQL, noted in the same transaction, and elsewhere, noted before the first write.

ALTER TABLE idempotency_keys ADD COLUMN holder integer;
ALTER TABLE idempotency_keys ADD COLUMN wrote_here boolean NOT NULL DEFAULT false;
ALTER TABLE idempotency_keys ADD COLUMN wrote_elsewhere boolean NOT NULL DEFAULT false;

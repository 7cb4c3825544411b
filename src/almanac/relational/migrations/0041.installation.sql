-- What makes this installation itself: an id that is also written to its object storage, and a fingerprint of its secret
-- key. Both show which of several machines or stores doesn't belong.

CREATE TABLE installation (
    is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT installation_is_one CHECK (is_only),
    id text NOT NULL,
    secret_fingerprint text NOT NULL,
    created_at timestamptz NOT NULL
);

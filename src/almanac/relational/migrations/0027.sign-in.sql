-- How a session was made and proven, passkeys, authenticator apps, recovery codes, and addresses to be confirmed.

-- A process of the former version may still add sessions while this one starts, so both columns have a default.
ALTER TABLE sessions
    ADD COLUMN method text NOT NULL DEFAULT 'unknown',
    ADD COLUMN proven_at timestamptz NOT NULL DEFAULT now();
UPDATE sessions SET proven_at = created_at;

ALTER TABLE account_links ADD COLUMN email text;
ALTER TABLE account_links DROP CONSTRAINT account_links_purpose_is_known;
ALTER TABLE account_links ADD CONSTRAINT account_links_purpose_is_known
    CHECK (purpose IN ('sign_in', 'invite', 'reset', 'email'));

CREATE TABLE passkeys (
    id text PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential_id bytea NOT NULL CONSTRAINT passkeys_credential_is_unique UNIQUE,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
);

CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at);

-- A row means that a person signs in in two steps; without an authenticator app, by their passkeys.
CREATE TABLE second_factors (
    user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    since timestamptz NOT NULL,
    totp_sealed bytea,
    totp_step bigint NOT NULL DEFAULT 0
);

CREATE TABLE recovery_codes (
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash text NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (user_id, code_hash)
);

-- What a browser must answer within minutes: a passkey's challenge, a code after the password, a new app's first code.
CREATE TABLE sign_in_challenges (
    token_hash text PRIMARY KEY,
    purpose text NOT NULL,
    user_id text REFERENCES users (id) ON DELETE CASCADE,
    secret bytea NOT NULL,
    method text NOT NULL DEFAULT '',
    expires_at timestamptz NOT NULL
);

CREATE INDEX sign_in_challenges_by_end ON sign_in_challenges (expires_at);

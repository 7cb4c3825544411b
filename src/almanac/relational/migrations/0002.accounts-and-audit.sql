-- People, their ways in, and the append-only record of what they did.

CREATE TABLE users (
    id text PRIMARY KEY,
    email text NOT NULL CONSTRAINT users_email_is_lower_case CHECK (email = lower(email)),
    name text NOT NULL,
    role text NOT NULL CONSTRAINT users_role_is_known CHECK (role IN ('admin', 'editor', 'approver', 'member')),
    active boolean NOT NULL DEFAULT true,
    password_hash text,
    oidc_issuer text,
    oidc_subject text,
    theme text NOT NULL DEFAULT 'system' CONSTRAINT users_theme_is_known CHECK (theme IN ('light', 'dark', 'system')),
    language text NOT NULL DEFAULT 'en',
    time_zone text,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    last_signed_in_at timestamptz,
    CONSTRAINT users_email_is_unique UNIQUE (email),
    CONSTRAINT users_oidc_subject_is_unique UNIQUE (oidc_issuer, oidc_subject)
);

CREATE INDEX users_active_admins ON users (id) WHERE role = 'admin' AND active;

CREATE TABLE sessions (
    id text PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash text NOT NULL CONSTRAINT sessions_token_is_unique UNIQUE,
    address text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE INDEX sessions_by_user ON sessions (user_id, last_seen_at DESC);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE api_tokens (
    id text PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    prefix text NOT NULL,
    token_hash text NOT NULL CONSTRAINT api_tokens_token_is_unique UNIQUE,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
);

CREATE INDEX api_tokens_by_user ON api_tokens (user_id, id DESC);

CREATE TABLE account_links (
    id text PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose text NOT NULL CONSTRAINT account_links_purpose_is_known CHECK (purpose IN ('sign_in', 'invite', 'reset')),
    token_hash text NOT NULL CONSTRAINT account_links_token_is_unique UNIQUE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);

CREATE INDEX account_links_by_user ON account_links (user_id, purpose) WHERE used_at IS NULL;

-- One row for each account and each address that failed to sign in lately; shared by all processes.
CREATE TABLE sign_in_tallies (
    key text PRIMARY KEY,
    failures integer NOT NULL DEFAULT 0,
    last_attempt_at timestamptz NOT NULL,
    blocked_until timestamptz
);

CREATE INDEX sign_in_tallies_by_age ON sign_in_tallies (last_attempt_at);

-- A sign-on under way at the OpenID Connect issuer; taken out by the answer that belongs to it.
CREATE TABLE oidc_flows (
    state_hash text PRIMARY KEY,
    nonce text NOT NULL,
    verifier text NOT NULL,
    return_to text NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE TABLE audit_entries (
    id text PRIMARY KEY,
    position bigint CONSTRAINT audit_entries_position_is_unique UNIQUE,
    recorded_at timestamptz NOT NULL,
    actor_id text NOT NULL,
    actor_via text NOT NULL,
    action text NOT NULL,
    object_type text NOT NULL,
    object_id text NOT NULL,
    why text NOT NULL,
    request_id text,
    detail json NOT NULL,
    digest text NOT NULL,
    previous_hash text,
    hash text
);

CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, position);
CREATE INDEX audit_entries_by_object ON audit_entries (object_type, object_id, position);
CREATE INDEX audit_entries_by_action ON audit_entries (action, position);
CREATE INDEX audit_entries_by_time ON audit_entries (recorded_at);

-- The end of the chain. Its one row is locked only while a transaction commits.
CREATE TABLE audit_head (
    only_row boolean PRIMARY KEY DEFAULT true CONSTRAINT audit_head_has_one_row CHECK (only_row),
    position bigint NOT NULL,
    hash text NOT NULL
);

INSERT INTO audit_head (position, hash) VALUES (0, repeat('0', 64));

-- Runs at commit: entries are numbered and chained in the order of commits, and no lock is held before that.
CREATE FUNCTION seal_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    head audit_head%ROWTYPE;
    sealed text;
BEGIN
    SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
    sealed := encode(sha256(convert_to(head.hash || NEW.digest, 'UTF8')), 'hex');
    UPDATE audit_entries SET position = head.position + 1, previous_hash = head.hash, hash = sealed WHERE id = NEW.id;
    UPDATE audit_head SET position = head.position + 1, hash = sealed;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER audit_entries_are_sealed AFTER INSERT ON audit_entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION seal_audit_entry();

-- The sealing of a fresh entry is the only update there is.
CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.position IS NULL AND NEW.position IS NOT NULL
        AND to_jsonb(NEW) - '{position,previous_hash,hash}'::text[] = to_jsonb(OLD) - '{position,previous_hash,hash}'::text[]
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'The audit log is append-only.' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER audit_entries_are_kept BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
CREATE TRIGGER audit_entries_are_not_emptied BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entry();

CREATE FUNCTION keep_audit_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.position = OLD.position + 1 THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'The audit log is append-only.' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER audit_head_moves_forward BEFORE UPDATE OR DELETE ON audit_head
    FOR EACH ROW EXECUTE FUNCTION keep_audit_head();
CREATE TRIGGER audit_head_is_not_emptied BEFORE TRUNCATE ON audit_head
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_head();

-- Mail: every message with its claim and outcome, what became of it, and whom nobody may write to.

CREATE TABLE mail_messages (
    id text PRIMARY KEY,
    idempotency_key text NOT NULL CONSTRAINT mail_messages_key_is_unique UNIQUE,
    status text NOT NULL
        CONSTRAINT mail_messages_status_is_known CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'unknown')),
    topic text NOT NULL,
    bulk boolean NOT NULL,
    sender text NOT NULL,
    recipients text[] NOT NULL CONSTRAINT mail_messages_have_a_recipient CHECK (cardinality(recipients) > 0),
    subject text NOT NULL,
    content jsonb NOT NULL,
    digest text NOT NULL,
    -- Fixed by the first claim and the same ever after, so that one message can be looked for under one name.
    message_id text CONSTRAINT mail_messages_message_id_is_unique UNIQUE,
    raw bytea,
    envelope_to text[],
    transport text,
    provider_id text,
    claim text,
    attempts integer NOT NULL DEFAULT 0,
    failure text CONSTRAINT mail_messages_failure_is_known
        CHECK (failure IN ('refused', 'exhausted', 'suppressed', 'cancelled', 'not_sent')),
    reason text,
    queued_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    claimed_at timestamptz,
    lease_until timestamptz,
    finished_at timestamptz,
    CONSTRAINT mail_messages_claim_comes_with_a_name
        CHECK (status <> 'sending' OR (claim IS NOT NULL AND message_id IS NOT NULL AND lease_until IS NOT NULL)),
    CONSTRAINT mail_messages_failure_has_a_reason CHECK (status <> 'failed' OR (failure IS NOT NULL AND reason IS NOT NULL))
);

CREATE INDEX mail_messages_due ON mail_messages (due_at, id) WHERE status = 'queued';
CREATE INDEX mail_messages_leases ON mail_messages (lease_until) WHERE status = 'sending';
CREATE INDEX mail_messages_by_status ON mail_messages (status, id DESC);
CREATE INDEX mail_messages_by_topic ON mail_messages (topic, id DESC);
CREATE INDEX mail_messages_by_recipient ON mail_messages USING gin (recipients);
CREATE INDEX mail_messages_by_provider_id ON mail_messages (provider_id) WHERE provider_id IS NOT NULL;

-- What happened to a message, in order; a row without a recipient is about the message as a whole.
CREATE TABLE mail_events (
    id text PRIMARY KEY,
    mail_id text NOT NULL REFERENCES mail_messages (id) ON DELETE CASCADE,
    kind text NOT NULL,
    recipient text,
    permanent boolean NOT NULL DEFAULT false,
    detail text NOT NULL,
    source text NOT NULL,
    -- The sender's own name for the event: a webhook that is delivered twice counts once.
    source_id text CONSTRAINT mail_events_source_id_is_unique UNIQUE,
    happened_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL
);

CREATE INDEX mail_events_by_message ON mail_events (mail_id, id);

-- A lifted row stays as history; at most one row for an address and a topic is in force.
CREATE TABLE mail_suppressions (
    id text PRIMARY KEY,
    email text NOT NULL,
    -- Empty: no mail at all. Otherwise: no bulk mail of this topic.
    topic text NOT NULL,
    source text NOT NULL CONSTRAINT mail_suppressions_source_is_known
        CHECK (source IN ('bounce', 'complaint', 'manual', 'unsubscribe')),
    reason text NOT NULL,
    mail_id text,
    added_by text,
    added_at timestamptz NOT NULL,
    lifted_by text,
    lifted_why text,
    lifted_at timestamptz
);

CREATE UNIQUE INDEX mail_suppressions_in_force ON mail_suppressions (email, topic) WHERE lifted_at IS NULL;

-- Saved queries with their feeds and alerts, and webhooks that tell other programs what happened here.

CREATE TABLE saved_queries (
    id text PRIMARY KEY,
    owner_id text NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    kinds text[] NOT NULL,
    filters jsonb NOT NULL,
    sort text NOT NULL,
    version integer NOT NULL DEFAULT 1,
    -- Rises when the feed's address is changed; null while there is no feed. The address itself is never stored.
    feed_generation integer,
    last_feed_generation integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

CREATE INDEX saved_queries_by_owner ON saved_queries (owner_id, lower(name), id);

CREATE TABLE saved_alerts (
    saved_id text PRIMARY KEY REFERENCES saved_queries (id) ON DELETE CASCADE,
    frequency text NOT NULL CONSTRAINT saved_alerts_frequency_is_known CHECK (frequency IN ('hourly', 'daily', 'weekly')),
    hour integer NOT NULL CONSTRAINT saved_alerts_hour_is_one CHECK (hour BETWEEN 0 AND 23),
    time_zone text NOT NULL,
    next_due_at timestamptz NOT NULL,
    -- Where more matches than an alert looks at: what is dated before this was never looked at, and is not new.
    looked_back_to timestamptz,
    last_run_at timestamptz,
    last_sent_at timestamptz,
    stopped_at timestamptz,
    stopped_why text
);

CREATE INDEX saved_alerts_due ON saved_alerts (next_due_at) WHERE stopped_at IS NULL;

-- What an alert has told of, or what was there when it began. By name, so that indexing anew makes nothing new.
CREATE TABLE saved_seen (
    saved_id text NOT NULL REFERENCES saved_alerts (saved_id) ON DELETE CASCADE,
    kind text NOT NULL,
    document_id text NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (saved_id, kind, document_id)
);

CREATE TABLE webhook_endpoints (
    id text PRIMARY KEY,
    url text NOT NULL,
    description text NOT NULL,
    events text[] NOT NULL,
    version integer NOT NULL DEFAULT 1,
    -- Which secret is in use. Secrets are derived from the installation's own and never stored.
    secret_generation integer NOT NULL DEFAULT 1,
    old_secret_until timestamptz,
    active boolean NOT NULL DEFAULT true,
    disabled_at timestamptz,
    disabled_why text NOT NULL DEFAULT '',
    failing_since timestamptz,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

CREATE INDEX webhook_endpoints_by_event ON webhook_endpoints USING gin (events) WHERE active;

-- The exact body, so that a delivery repeated later is the same to the last byte.
CREATE TABLE webhook_events (
    id text PRIMARY KEY,
    name text NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE INDEX webhook_events_by_age ON webhook_events (created_at);

CREATE TABLE webhook_deliveries (
    id text PRIMARY KEY,
    endpoint_id text NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event_id text NOT NULL REFERENCES webhook_events (id) ON DELETE CASCADE,
    state text NOT NULL CONSTRAINT webhook_deliveries_state_is_known CHECK (state IN ('waiting', 'delivered', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    reason text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    CONSTRAINT webhook_deliveries_failure_has_a_reason CHECK (state <> 'failed' OR reason <> '')
);

CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);

CREATE TABLE webhook_attempts (
    delivery_id text NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    number integer NOT NULL,
    attempted_at timestamptz NOT NULL,
    milliseconds integer NOT NULL,
    answer integer,
    reason text NOT NULL,
    PRIMARY KEY (delivery_id, number)
);

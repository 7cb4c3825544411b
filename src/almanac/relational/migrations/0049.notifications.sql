-- Notifications: what happened that people want to know, how each wants to hear of it, and what was sent to whom.

-- What happened. A trigger or the code of the change writes it in the transaction of the change.
CREATE TABLE notification_events (
    id text PRIMARY KEY,
    kind text NOT NULL,
    -- What it is about; a kind knows a thing once, until it is settled.
    key text NOT NULL,
    -- For one person, or else for everybody who may see it. Nobody is told what they did themselves.
    user_id text REFERENCES users (id) ON DELETE CASCADE,
    actor_id text,
    facts jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    sorted_at timestamptz,
    settled_at timestamptz
);

CREATE UNIQUE INDEX notification_events_open_key ON notification_events (kind, key) WHERE settled_at IS NULL;
CREATE INDEX notification_events_unsorted ON notification_events (id) WHERE sorted_at IS NULL;
CREATE INDEX notification_events_by_age ON notification_events (created_at);

CREATE TABLE notification_settings (
    user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- Of each kind the channels that were chosen; a kind that is missing has its usual ones.
    choices jsonb NOT NULL,
    quiet_from text,
    quiet_to text,
    titles boolean NOT NULL,
    version integer NOT NULL,
    updated_at timestamptz NOT NULL
);

-- Addresses hold secrets, so they are sealed; `shown` is what may be seen of one.
CREATE TABLE notification_addresses (
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    channel text NOT NULL CONSTRAINT notification_addresses_channel_is_known CHECK (channel IN ('ntfy', 'apprise', 'webhook')),
    sealed bytea NOT NULL,
    shown text NOT NULL,
    generation integer NOT NULL DEFAULT 1,
    failing_since timestamptz,
    failing_why text NOT NULL DEFAULT '',
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, channel)
);

-- Browsers that get push messages; one lives as long as the sign-in that it was made in.
CREATE TABLE push_devices (
    id text PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    endpoint_hash text NOT NULL CONSTRAINT push_devices_endpoint_is_unique UNIQUE,
    sealed bytea NOT NULL,
    service text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamptz NOT NULL,
    last_sent_at timestamptz,
    failing_why text NOT NULL DEFAULT ''
);

CREATE INDEX push_devices_by_user ON push_devices (user_id, id);
CREATE INDEX push_devices_by_session ON push_devices (session_id);

-- One message to one person by one channel; `target` is the device of a push message, otherwise empty.
CREATE TABLE notifications (
    id text PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind text NOT NULL,
    channel text NOT NULL,
    target text NOT NULL,
    state text NOT NULL CONSTRAINT notifications_state_is_known
        CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'unknown', 'dropped')),
    due_at timestamptz NOT NULL,
    claim text,
    lease_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    reason text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL,
    finished_at timestamptz
);

CREATE UNIQUE INDEX notifications_one_waits ON notifications (user_id, kind, channel, target) WHERE state = 'waiting';
CREATE INDEX notifications_due ON notifications (due_at, id) WHERE state = 'waiting';
CREATE INDEX notifications_leases ON notifications (lease_until) WHERE state = 'sending';
CREATE INDEX notifications_by_user ON notifications (user_id, id DESC);
CREATE INDEX notifications_by_age ON notifications (created_at);

-- Which events a message tells of. An event goes to a person by a channel once.
CREATE TABLE notification_items (
    user_id text NOT NULL,
    channel text NOT NULL,
    target text NOT NULL,
    event_id text NOT NULL REFERENCES notification_events (id) ON DELETE CASCADE,
    notification_id text NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, channel, target, event_id)
);

CREATE INDEX notification_items_by_notification ON notification_items (notification_id);
CREATE INDEX notification_items_by_event ON notification_items (event_id);

-- Work that failed is an event until it is tried again, succeeds or is dismissed. Sending notifications is no such work:
-- it would tell of itself for ever.
CREATE FUNCTION notify_of_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.task NOT LIKE 'notifications.%' THEN
            INSERT INTO notification_events (id, kind, key, facts)
            SELECT
                gen_random_uuid()::text,
                CASE WHEN NEW.task LIKE 'backup.%' THEN 'backup' ELSE 'failures' END,
                NEW.job_id::text,
                jsonb_build_object(
                    'task', NEW.task, 'object_kind', NEW.object_kind, 'by_input', NEW.by_input, 'request_id', d.request_id,
                    'deferred_at', d.created_at)
            FROM job_details AS d
            WHERE d.job_id = NEW.job_id
            ON CONFLICT (kind, key) WHERE settled_at IS NULL DO NOTHING;
        END IF;
    ELSIF TG_OP = 'DELETE' OR NEW.dismissed_at IS NOT NULL THEN
        UPDATE notification_events SET settled_at = now()
        WHERE kind IN ('failures', 'backup') AND key = OLD.job_id::text AND settled_at IS NULL;
    END IF;
    RETURN NULL;
END;
$$;

CREATE TRIGGER notify_of_failure AFTER INSERT OR UPDATE OR DELETE ON job_failures
    FOR EACH ROW EXECUTE FUNCTION notify_of_failure();

-- Work of more than a minute that somebody asked for.
CREATE FUNCTION notify_of_long_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notification_events (id, kind, key, facts)
    SELECT
        gen_random_uuid()::text,
        'finished',
        NEW.id::text,
        jsonb_build_object(
            'task', NEW.task_name, 'object_kind', d.object_kind, 'request_id', d.request_id, 'deferred_at', d.created_at)
    FROM job_details AS d
    WHERE d.job_id = NEW.id
        AND d.schedule IS NULL
        AND d.request_id IS NOT NULL
        AND EXISTS (
            SELECT FROM job_runs AS r
            WHERE r.job_id = NEW.id AND r.outcome = 'succeeded' AND r.finished_at - r.started_at > interval '1 minute')
    ON CONFLICT (kind, key) WHERE settled_at IS NULL DO NOTHING;
    RETURN NULL;
END;
$$;

CREATE TRIGGER notify_of_long_job AFTER UPDATE OF status ON procrastinate_jobs
    FOR EACH ROW WHEN (OLD.status = 'doing' AND NEW.status = 'succeeded') EXECUTE FUNCTION notify_of_long_job();

-- A mail whose outcome nobody knows, until somebody does.
CREATE FUNCTION notify_of_mail_in_doubt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'unknown' THEN
        INSERT INTO notification_events (id, kind, key, facts)
        VALUES (gen_random_uuid()::text, 'mail', NEW.id, jsonb_build_object('topic', NEW.topic))
        ON CONFLICT (kind, key) WHERE settled_at IS NULL DO NOTHING;
    ELSE
        UPDATE notification_events SET settled_at = now() WHERE kind = 'mail' AND key = NEW.id AND settled_at IS NULL;
    END IF;
    RETURN NULL;
END;
$$;

CREATE TRIGGER notify_of_mail_in_doubt AFTER UPDATE OF status ON mail_messages
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND 'unknown' IN (OLD.status, NEW.status))
    EXECUTE FUNCTION notify_of_mail_in_doubt();

-- Browsers that a person signed in with before, without their version numbers, which change every month.
CREATE TABLE sign_in_devices (
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    browser text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, browser)
);

CREATE FUNCTION without_versions(user_agent text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT md5(regexp_replace(user_agent, '[0-9][0-9._]*', '', 'g'))
$$;

INSERT INTO sign_in_devices (user_id, browser, first_seen_at)
SELECT user_id, without_versions(user_agent), min(created_at) FROM sessions GROUP BY 1, 2;

-- The first browser of all is no news.
CREATE FUNCTION notify_of_new_device() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    others boolean := EXISTS (SELECT FROM sign_in_devices WHERE user_id = NEW.user_id);
BEGIN
    INSERT INTO sign_in_devices (user_id, browser, first_seen_at)
    VALUES (NEW.user_id, without_versions(NEW.user_agent), NEW.created_at)
    ON CONFLICT DO NOTHING;
    IF FOUND AND others AND NEW.method <> 'local' THEN
        INSERT INTO notification_events (id, kind, key, user_id, facts)
        VALUES (
            gen_random_uuid()::text, 'sign_in', NEW.id, NEW.user_id,
            jsonb_build_object('user_agent', NEW.user_agent, 'address', NEW.address));
    END IF;
    RETURN NULL;
END;
$$;

CREATE TRIGGER notify_of_new_device AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION notify_of_new_device();

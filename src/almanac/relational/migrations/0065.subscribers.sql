-- People without an account who get mail about what they follow. Until somebody confirms by the link in a mail, nothing
-- else is sent there, and the address is deleted after some days.

CREATE TABLE subscribers (
    id text PRIMARY KEY,
    email text NOT NULL UNIQUE,
    language text NOT NULL,
    frequency text NOT NULL CHECK (frequency IN ('daily', 'at_once')),
    generation integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    last_mail_at timestamptz,
    asked_on date NOT NULL,
    asked integer NOT NULL DEFAULT 0
);

CREATE TABLE subscriptions (
    id text PRIMARY KEY,
    subscriber_id text NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
    desk text NOT NULL,
    kind text NOT NULL,
    target text NOT NULL,
    label text NOT NULL,
    language text NOT NULL,
    frequency text NOT NULL CHECK (frequency IN ('daily', 'at_once')),
    requested_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    UNIQUE (subscriber_id, desk, kind, target)
);

CREATE INDEX subscriptions_by_target ON subscriptions (desk, kind, target) WHERE confirmed_at IS NOT NULL;
CREATE INDEX subscriptions_to_confirm ON subscriptions (requested_at) WHERE confirmed_at IS NULL;

-- What was found for whom; told once, whatever else happens to the item.
CREATE TABLE subscriber_items (
    subscriber_id text NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
    desk text NOT NULL,
    item text NOT NULL,
    part text NOT NULL,
    subscriptions text[] NOT NULL,
    added_at timestamptz NOT NULL,
    told_at timestamptz,
    PRIMARY KEY (subscriber_id, desk, item, part)
);

CREATE INDEX subscriber_items_to_tell ON subscriber_items (subscriber_id) WHERE told_at IS NULL;

-- Addresses, as keyed hashes, whose owners want no mail from these forms ever again.
CREATE TABLE subscriber_refusals (
    hash text PRIMARY KEY,
    refused_at timestamptz NOT NULL
);

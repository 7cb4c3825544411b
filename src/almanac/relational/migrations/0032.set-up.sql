-- Which steps of set-up are done or skipped, and the trials of mail and models that it made.

CREATE TABLE setup_steps (
    step text PRIMARY KEY,
    state text NOT NULL CHECK (state IN ('done', 'skipped')),
    changed_by text NOT NULL,
    changed_at timestamptz NOT NULL
);

CREATE TABLE setup_trials (
    id text PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('mail', 'model')),
    tried_by text NOT NULL,
    tried_at timestamptz NOT NULL,
    address text,
    code_hash text,
    guesses integer NOT NULL DEFAULT 0,
    outcome text CHECK (outcome IN ('seen', 'missing'))
);

CREATE INDEX setup_trials_recent ON setup_trials (kind, tried_at DESC);

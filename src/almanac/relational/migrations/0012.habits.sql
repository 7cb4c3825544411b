-- Habits: the log of completions is the truth; points, streaks and badges beside it are derived from it and repaired
-- by it. What other programs read is in the table; what it is told of is queued here.

CREATE TABLE habit_people (
    user_id text PRIMARY KEY,
    username text NOT NULL,
    listed boolean NOT NULL DEFAULT true,
    -- The sum of the points of all habits, and how often it changed: a late writer must not overwrite a newer sum.
    points bigint NOT NULL DEFAULT 0,
    revision bigint NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 1,
    turned_on date,
    updated_at timestamptz NOT NULL
);

-- The clocks that somebody lived by, from a moment on.
CREATE TABLE habit_stays (
    user_id text NOT NULL REFERENCES habit_people (user_id) ON DELETE CASCADE,
    since timestamptz NOT NULL,
    zone text NOT NULL,
    day_start integer NOT NULL CONSTRAINT habit_stays_day_start_is_an_hour CHECK (day_start BETWEEN 0 AND 12),
    PRIMARY KEY (user_id, since)
);

CREATE TABLE habits (
    id text PRIMARY KEY,
    owner_id text NOT NULL REFERENCES habit_people (user_id),
    name text NOT NULL,
    description text NOT NULL,
    tags text[] NOT NULL,
    habit_group text NOT NULL,
    position integer NOT NULL,
    remind_at time,
    archived_on date,
    -- What another program knows about it and we don't use, so that it gets it back.
    extras jsonb NOT NULL DEFAULT '{}',
    version integer NOT NULL DEFAULT 1,
    revision bigint NOT NULL DEFAULT 0,
    points bigint NOT NULL DEFAULT 0,
    current_streak integer NOT NULL DEFAULT 0,
    best_streak integer NOT NULL DEFAULT 0,
    strength double precision NOT NULL DEFAULT 0,
    last_completed date,
    stands_until date,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

CREATE INDEX habits_by_owner ON habits (owner_id, position, id);
CREATE INDEX habits_with_reminder ON habits (remind_at) WHERE remind_at IS NOT NULL AND archived_on IS NULL;

CREATE TABLE habit_rules (
    habit_id text NOT NULL REFERENCES habits (id) ON DELETE CASCADE,
    since date NOT NULL,
    schedule jsonb NOT NULL,
    goal jsonb NOT NULL,
    PRIMARY KEY (habit_id, since)
);

CREATE TABLE habit_completions (
    habit_id text NOT NULL REFERENCES habits (id) ON DELETE CASCADE,
    day date NOT NULL,
    owner_id text NOT NULL,
    amount numeric(12, 3) NOT NULL CONSTRAINT habit_completions_amount_is_none_or_more CHECK (amount >= 0),
    -- What the day has earned as far as the ledger knows.
    points integer NOT NULL DEFAULT 0,
    late boolean NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (habit_id, day)
);

CREATE INDEX habit_completions_by_day ON habit_completions (day) INCLUDE (owner_id, points, late);

CREATE TABLE habit_skips (
    habit_id text NOT NULL REFERENCES habits (id) ON DELETE CASCADE,
    day date NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (habit_id, day)
);

CREATE TABLE habit_notes (
    habit_id text NOT NULL REFERENCES habits (id) ON DELETE CASCADE,
    day date NOT NULL,
    note text NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (habit_id, day)
);

CREATE TABLE habit_vacations (
    id text PRIMARY KEY,
    owner_id text NOT NULL REFERENCES habit_people (user_id) ON DELETE CASCADE,
    first_day date NOT NULL,
    last_day date NOT NULL,
    CONSTRAINT habit_vacations_end_after_they_begin CHECK (first_day <= last_day),
    CONSTRAINT habit_vacations_are_told_once UNIQUE (owner_id, first_day, last_day)
);

CREATE TABLE habit_rest_days (
    owner_id text NOT NULL REFERENCES habit_people (user_id) ON DELETE CASCADE,
    day date NOT NULL,
    PRIMARY KEY (owner_id, day)
);

-- Every change of points with its reason. It outlives the habit: what was earned and given back stays told.
CREATE TABLE habit_ledger (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id text NOT NULL,
    habit_id text REFERENCES habits (id) ON DELETE SET NULL,
    habit_name text NOT NULL,
    day date NOT NULL,
    points integer NOT NULL,
    reason text NOT NULL,
    event_id text NOT NULL,
    recorded_at timestamptz NOT NULL
);

CREATE INDEX habit_ledger_by_owner ON habit_ledger (owner_id, id DESC);
CREATE INDEX habit_ledger_by_habit ON habit_ledger (habit_id) WHERE habit_id IS NOT NULL;

CREATE TABLE habit_achievements (
    habit_id text NOT NULL REFERENCES habits (id) ON DELETE CASCADE,
    milestone integer NOT NULL,
    reached_on date NOT NULL,
    unlocked_at timestamptz NOT NULL,
    PRIMARY KEY (habit_id, milestone)
);

-- What happened, for those who are told of it from the queue.
CREATE TABLE habit_events (
    id text PRIMARY KEY,
    name text NOT NULL,
    owner_id text NOT NULL,
    habit_id text NOT NULL,
    body jsonb NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE INDEX habit_events_by_age ON habit_events (created_at);

-- The inbox of each handler: an event that is in it was dealt with.
CREATE TABLE habit_receipts (
    event_id text NOT NULL REFERENCES habit_events (id) ON DELETE CASCADE,
    handler text NOT NULL,
    received_at timestamptz NOT NULL,
    PRIMARY KEY (event_id, handler)
);

CREATE TABLE habit_reminders (
    habit_id text NOT NULL REFERENCES habits (id) ON DELETE CASCADE,
    day date NOT NULL,
    reminded_at timestamptz NOT NULL,
    PRIMARY KEY (habit_id, day)
);

CREATE TABLE habit_groups (
    id text PRIMARY KEY,
    name text NOT NULL,
    owner_id text NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE TABLE habit_group_members (
    group_id text NOT NULL REFERENCES habit_groups (id) ON DELETE CASCADE,
    user_id text NOT NULL,
    joined_at timestamptz NOT NULL,
    PRIMARY KEY (group_id, user_id)
);

CREATE INDEX habit_group_members_by_user ON habit_group_members (user_id);

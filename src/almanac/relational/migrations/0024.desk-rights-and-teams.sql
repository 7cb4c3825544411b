-- Rights at single desks, given to people and to teams.

-- A row replaces what the person's role gives at that desk; an empty list of actions means nothing at all.
CREATE TABLE desk_rights (
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    desk text NOT NULL,
    actions text[] NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, desk)
);

CREATE TABLE teams (
    id text PRIMARY KEY,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

CREATE UNIQUE INDEX teams_name_is_unique ON teams (lower(name));

CREATE TABLE team_members (
    team_id text NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    added_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, team_id)
);

CREATE INDEX team_members_by_team ON team_members (team_id);

CREATE TABLE team_rights (
    team_id text NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    desk text NOT NULL,
    actions text[] NOT NULL,
    PRIMARY KEY (team_id, desk)
);

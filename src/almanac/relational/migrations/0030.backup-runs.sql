-- Every backup that was attempted: where it went, what it held, and whether its trial restore succeeded.

CREATE TABLE backup_runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('daily', 'manual')),
    result text NOT NULL CHECK (result IN ('good', 'bad', 'failed')),
    reason text,
    place text NOT NULL,
    name text,
    encrypted boolean NOT NULL,
    bytes bigint NOT NULL DEFAULT 0,
    row_count bigint NOT NULL DEFAULT 0,
    item_count bigint NOT NULL DEFAULT 0,
    started_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL
);

CREATE INDEX backup_runs_by_result ON backup_runs (result, finished_at DESC);

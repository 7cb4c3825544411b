-- Whether each source of records answered when it was last asked. The address is that of the setting.

CREATE TABLE recap_sources (
    address text PRIMARY KEY,
    tried_at timestamptz NOT NULL,
    reached_at timestamptz,
    failing_since timestamptz,
    failures integer NOT NULL DEFAULT 0,
    error text NOT NULL DEFAULT ''
);

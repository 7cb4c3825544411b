-- Files of whole sessions for programs: what each was made from, its content's digest, and figures about the articles.

CREATE TABLE recap_bulk_sessions (
    session integer PRIMARY KEY,
    stamp text NOT NULL,
    articles integer NOT NULL,
    speeches integer NOT NULL,
    decisions integer NOT NULL,
    unbound integer NOT NULL,
    corrections integer NOT NULL,
    origins text[] NOT NULL,
    made_at timestamptz NOT NULL
);
CREATE TABLE recap_bulk_files (
    name text PRIMARY KEY,
    session integer NOT NULL REFERENCES recap_bulk_sessions (session) ON DELETE CASCADE,
    content text NOT NULL,
    key text NOT NULL,
    lines integer NOT NULL,
    size bigint NOT NULL,
    digest text NOT NULL,
    made_at timestamptz NOT NULL
);
CREATE INDEX recap_bulk_files_by_session ON recap_bulk_files (session);

-- How many error reports are open: readers are told the number and nothing else of them.
CREATE TABLE recap_open_reports (
    is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
    count integer NOT NULL,
    counted_at timestamptz NOT NULL
);

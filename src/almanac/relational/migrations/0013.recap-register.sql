-- The register of recap articles: under which values each is filed, for combined filters, counts and suggestions.

-- One row for all spellings of a value that differ in case or width only; articles counts those filed under it.
CREATE TABLE recap_values (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    facet text NOT NULL,
    folded text NOT NULL,
    spellings text[] NOT NULL,
    articles integer NOT NULL DEFAULT 0,
    CONSTRAINT recap_values_are_unique UNIQUE (facet, folded)
);

CREATE INDEX recap_values_beginnings ON recap_values (folded text_pattern_ops);

-- Narrow rows, as finding and counting read every one that is found; what is shown of an article is apart.
CREATE TABLE recap_articles (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL CONSTRAINT recap_articles_are_unique UNIQUE,
    day date NOT NULL,
    filed integer[] NOT NULL,
    vector tsvector NOT NULL GENERATED ALWAYS AS (array_to_tsvector(filed::text[])) STORED
);

ALTER TABLE recap_articles ALTER COLUMN filed SET STORAGE PLAIN, ALTER COLUMN vector SET STORAGE MAIN;

CREATE INDEX recap_articles_vector ON recap_articles USING gin (vector) WITH (gin_pending_list_limit = 256);
CREATE INDEX recap_articles_days ON recap_articles (day, number);

CREATE TABLE recap_cards (
    number bigint PRIMARY KEY REFERENCES recap_articles (number) ON DELETE CASCADE,
    card jsonb NOT NULL
);

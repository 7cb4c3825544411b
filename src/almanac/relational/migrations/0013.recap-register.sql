-- The register of recap articles: under which values each is filed, for combined filters, counts and suggestions.

CREATE SEQUENCE recap_value_numbers AS integer;

-- One row for all spellings of a value that differ in case or width only; articles counts those filed under it.
-- The upper bits of the number are the facet's, so that counting needs no look at this table.
CREATE TABLE recap_values (
    id integer PRIMARY KEY,
    facet text NOT NULL,
    folded text NOT NULL,
    spellings text[] NOT NULL,
    articles integer NOT NULL DEFAULT 0,
    CONSTRAINT recap_values_are_unique UNIQUE (facet, folded)
);

CREATE INDEX recap_values_beginnings ON recap_values (folded text_pattern_ops);

-- The place orders articles by day, and those of one day by the order in which they came.
CREATE TABLE recap_articles (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL CONSTRAINT recap_articles_are_named_once UNIQUE,
    version integer NOT NULL,
    day date NOT NULL,
    place bigint NOT NULL GENERATED ALWAYS AS (((day - date '0001-01-01')::bigint << 32) | number) STORED,
    filed integer[] NOT NULL,
    vector tsvector NOT NULL GENERATED ALWAYS AS (array_to_tsvector(filed::text[])) STORED,
    CONSTRAINT recap_articles_have_a_place UNIQUE (place)
);

-- What is read of every article that may match stays in its row.
ALTER TABLE recap_articles ALTER COLUMN filed SET STORAGE PLAIN, ALTER COLUMN vector SET STORAGE MAIN;

-- The list of each value in the order of places: a page is read from the shortest list concerned, without sorting.
CREATE TABLE recap_filed (value integer NOT NULL, place bigint NOT NULL, PRIMARY KEY (value, place));

CREATE TABLE recap_cards (
    number integer PRIMARY KEY REFERENCES recap_articles (number) ON DELETE CASCADE,
    card jsonb NOT NULL
);

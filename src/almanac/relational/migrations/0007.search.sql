-- Search: every document that can be found, where a rebuild of a kind has got to, and what documents mean to a model.

CREATE TABLE search_documents (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    key text NOT NULL,
    -- The date in microseconds since 1970, for order and ranges; the smallest number where there is none.
    moment bigint NOT NULL,
    owner text,
    permission text,
    -- Facets as name=value, the kind and the language among them.
    facets text[] NOT NULL,
    -- How many words it has, by which ranking tells a long text from one that is about the words.
    words integer NOT NULL,
    indexed_at timestamptz NOT NULL,
    date timestamptz,
    title text NOT NULL,
    path text NOT NULL,
    language text NOT NULL,
    fields jsonb NOT NULL,
    body text NOT NULL,
    -- False where the document is longer than a vector can hold, so that its end can't be found.
    whole boolean NOT NULL,
    vector tsvector NOT NULL,
    CONSTRAINT search_documents_are_unique UNIQUE (kind, key)
) WITH (toast_tuple_target = 128);

-- Matching and counting read every row found but only its narrow columns: text and vector are kept out of the row,
-- and vectors uncompressed, as ranking reads many of them.
ALTER TABLE search_documents
    ALTER COLUMN facets SET STORAGE PLAIN,
    ALTER COLUMN vector SET STORAGE EXTERNAL;

-- New documents wait in a list that every search reads through, so it is kept short.
CREATE INDEX search_documents_vector ON search_documents USING gin (vector) WITH (gin_pending_list_limit = 1024);

CREATE TABLE search_rebuilds (
    kind text PRIMARY KEY,
    started_at timestamptz NOT NULL,
    after text,
    done integer NOT NULL,
    total integer NOT NULL,
    finished_at timestamptz
);

-- Plain numbers, so that a database without pgvector has the same tables.
CREATE TABLE search_embeddings (
    document_id bigint PRIMARY KEY REFERENCES search_documents (id) ON DELETE CASCADE,
    model text NOT NULL,
    digest text NOT NULL,
    indexed_at timestamptz NOT NULL,
    embedding real[] NOT NULL
);

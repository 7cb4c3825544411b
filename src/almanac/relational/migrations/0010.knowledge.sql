-- Knowledge: sources that people add, the documents read from them, and chunks that can be cited.

CREATE TABLE knowledge_sources (
    id text PRIMARY KEY,
    owner_id text NOT NULL,
    -- What the source is, whoever reads it and how often: owner, kind and name or address. Ids of chunks rest on it.
    identity text NOT NULL CONSTRAINT knowledge_sources_identity_is_unique UNIQUE,
    kind text NOT NULL CONSTRAINT knowledge_sources_kind_is_known CHECK (kind IN ('file', 'url', 'feed')),
    title text NOT NULL,
    titled boolean NOT NULL,
    visibility text NOT NULL
        CONSTRAINT knowledge_sources_visibility_is_known CHECK (visibility IN ('mine', 'everyone')),
    status text NOT NULL
        CONSTRAINT knowledge_sources_status_is_known CHECK (status IN ('waiting', 'reading', 'ready', 'failed')),
    reason text,
    problems text[] NOT NULL DEFAULT '{}',
    url text,
    file_name text,
    size bigint,
    object_key text,
    -- What was read last: a hash of the bytes and the version of the reader, so that a better reader reads again.
    digest text,
    etag text,
    last_modified text,
    job_id bigint,
    created_at timestamptz NOT NULL,
    checked_at timestamptz,
    read_at timestamptz,
    removed_at timestamptz,
    CONSTRAINT knowledge_sources_failure_has_a_reason CHECK (status <> 'failed' OR reason IS NOT NULL),
    CONSTRAINT knowledge_sources_come_from_somewhere CHECK ((kind = 'file') = (url IS NULL))
);

CREATE INDEX knowledge_sources_by_owner ON knowledge_sources (owner_id, id DESC) WHERE removed_at IS NULL;
CREATE INDEX knowledge_sources_shared ON knowledge_sources (id DESC) WHERE removed_at IS NULL AND visibility = 'everyone';
CREATE INDEX knowledge_sources_due ON knowledge_sources (checked_at) WHERE removed_at IS NULL AND kind <> 'file';
CREATE INDEX knowledge_sources_removed ON knowledge_sources (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE knowledge_documents (
    id text PRIMARY KEY,
    source_id text NOT NULL REFERENCES knowledge_sources ON DELETE CASCADE,
    title text NOT NULL,
    url text,
    date date NOT NULL,
    date_known boolean NOT NULL,
    language text NOT NULL,
    digest text NOT NULL
);

CREATE INDEX knowledge_documents_of_source ON knowledge_documents (source_id, date DESC, id);

CREATE TABLE knowledge_chunks (
    id text PRIMARY KEY,
    source_id text NOT NULL REFERENCES knowledge_sources ON DELETE CASCADE,
    document_id text NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
    position integer NOT NULL,
    text text NOT NULL CONSTRAINT knowledge_chunks_hold_words CHECK (text <> ''),
    heading text[] NOT NULL,
    page integer,
    language text NOT NULL
);

CREATE INDEX knowledge_chunks_of_document ON knowledge_chunks (document_id, position);
CREATE INDEX knowledge_chunks_of_source ON knowledge_chunks (source_id);

-- name: insert_source
-- A source that nobody added before; nothing where its identity is known.
INSERT INTO knowledge_sources (
    id, owner_id, identity, kind, title, titled, visibility, status, url, file_name, size, object_key, created_at
) VALUES (
    %(id)s, %(owner_id)s, %(identity)s, %(kind)s, %(title)s, %(titled)s, %(visibility)s, 'waiting', %(url)s,
    %(file_name)s, %(size)s, %(object_key)s, %(now)s
) ON CONFLICT ON CONSTRAINT knowledge_sources_identity_is_unique DO NOTHING;

-- name: update_readded_source
-- A known source is added again: it counts as present, with its new content and name if there is one.
UPDATE knowledge_sources SET
    removed_at = NULL, visibility = %(visibility)s, size = coalesce(%(size)s, size),
    object_key = coalesce(%(object_key)s, object_key), titled = titled OR %(titled)s,
    title = CASE WHEN %(titled)s THEN %(title)s ELSE title END
WHERE identity = %(identity)s;

-- name: lock_by_identity
-- One source by what it is, kept from changing until the transaction ends.
SELECT id FROM knowledge_sources WHERE identity = %(identity)s FOR UPDATE;

-- name: find_source
-- One source with how much was read from it.
SELECT id, owner_id, kind, title, visibility, status, url, file_name, size, reason, problems, job_id, created_at, read_at,
    (SELECT count(*) FROM knowledge_documents d WHERE d.source_id = s.id) AS documents,
    (SELECT count(*) FROM knowledge_chunks c WHERE c.source_id = s.id) AS chunks
FROM knowledge_sources s WHERE id = %(id)s AND (removed_at IS NULL OR %(removed_too)s);

-- name: list_sources
-- Sources that a viewer may see, newest first.
SELECT id, owner_id, kind, title, visibility, status, url, file_name, size, reason, problems, job_id, created_at, read_at,
    (SELECT count(*) FROM knowledge_documents d WHERE d.source_id = s.id) AS documents,
    (SELECT count(*) FROM knowledge_chunks c WHERE c.source_id = s.id) AS chunks
FROM knowledge_sources s
WHERE removed_at IS NULL
    AND (%(everything)s OR owner_id = %(viewer)s OR visibility = 'everyone')
    AND (%(kind)s::text IS NULL OR kind = %(kind)s)
    AND (%(status)s::text IS NULL OR status = %(status)s)
    AND (%(text)s::text IS NULL OR strpos(lower(title), lower(%(text)s)) > 0
        OR strpos(lower(coalesce(url, file_name, '')), lower(%(text)s)) > 0)
    AND (%(before)s::text IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(limit)s;

-- name: find_source_to_read
-- What a reader must know about a source.
SELECT id, owner_id, identity, kind, title, titled, visibility, url, file_name, object_key, digest, etag, last_modified
FROM knowledge_sources WHERE id = %(id)s AND removed_at IS NULL;

-- name: lock_source
-- Where the content of a source is kept; the source is kept from changing until the transaction ends.
SELECT object_key FROM knowledge_sources WHERE id = %(id)s FOR NO KEY UPDATE;

-- name: set_waiting
-- A job will read the source.
UPDATE knowledge_sources SET status = 'waiting', reason = NULL, job_id = %(job_id)s WHERE id = %(id)s;

-- name: set_reading
-- A worker has begun.
UPDATE knowledge_sources SET status = 'reading', reason = NULL WHERE id = %(id)s AND removed_at IS NULL;

-- name: set_title
-- What the content of a source calls itself, unless somebody gave it a name.
UPDATE knowledge_sources SET title = %(title)s WHERE id = %(id)s AND NOT titled;

-- name: set_ready
-- Everything was read. Newer content that was added meanwhile stays the source's own; it is read next.
UPDATE knowledge_sources SET
    status = 'ready', reason = NULL, problems = %(problems)s, digest = %(digest)s, etag = %(etag)s,
    last_modified = %(last_modified)s, checked_at = %(now)s, read_at = %(now)s,
    object_key = CASE WHEN object_key IS NOT DISTINCT FROM %(was)s THEN %(object_key)s ELSE object_key END,
    size = CASE WHEN object_key IS NOT DISTINCT FROM %(was)s THEN %(size)s ELSE size END
WHERE id = %(id)s;

-- name: set_unchanged
-- It was looked at, and nothing had changed.
UPDATE knowledge_sources SET status = 'ready', reason = NULL, checked_at = %(now)s WHERE id = %(id)s;

-- name: set_retrying
-- It could not be read; its job tries again.
UPDATE knowledge_sources SET status = 'waiting', reason = %(reason)s, checked_at = %(now)s WHERE id = %(id)s;

-- name: set_failed
-- It could not be read; what was read before stays.
UPDATE knowledge_sources SET status = 'failed', reason = %(reason)s, checked_at = %(now)s WHERE id = %(id)s;

-- name: set_visibility
UPDATE knowledge_sources SET visibility = %(visibility)s WHERE id = %(id)s;

-- name: set_removed
-- Out of use; or back in use, without a moment.
UPDATE knowledge_sources SET removed_at = %(at)s WHERE id = %(id)s;

-- name: list_due
-- Feeds and pages that were not looked at for long, the longest first; what waits or is being read has its job.
SELECT id FROM knowledge_sources
WHERE removed_at IS NULL AND status IN ('ready', 'failed')
    AND ((kind = 'feed' AND checked_at < %(feeds_before)s) OR (kind = 'url' AND checked_at < %(pages_before)s))
ORDER BY checked_at LIMIT %(limit)s;

-- name: list_removed
-- Sources whose time to be restored is over.
SELECT id FROM knowledge_sources WHERE removed_at < %(before)s ORDER BY removed_at LIMIT %(limit)s;

-- name: delete_source
-- Gone for good, with its documents and chunks, unless somebody restored it meanwhile.
DELETE FROM knowledge_sources WHERE id = %(id)s AND removed_at IS NOT NULL;

-- name: list_documents
-- The newest documents of a source.
SELECT id, source_id, title, url, date, date_known, language,
    (SELECT count(*) FROM knowledge_chunks c WHERE c.document_id = d.id) AS chunks
FROM knowledge_documents d WHERE source_id = %(source_id)s ORDER BY date DESC, id DESC LIMIT %(limit)s;

-- name: list_document_digests
-- What each document of a source held when it was read.
SELECT id, digest FROM knowledge_documents WHERE source_id = %(source_id)s;

-- name: upsert_document
-- A document as it is now; the day on which an undated one was first seen stays its date.
INSERT INTO knowledge_documents (id, source_id, title, url, date, date_known, language, digest)
VALUES (%(id)s, %(source_id)s, %(title)s, %(url)s, %(date)s, %(date_known)s, %(language)s, %(digest)s)
ON CONFLICT (id) DO UPDATE SET
    title = excluded.title, url = excluded.url, language = excluded.language, digest = excluded.digest,
    date = CASE WHEN excluded.date_known OR knowledge_documents.date_known THEN excluded.date
        ELSE knowledge_documents.date END,
    date_known = excluded.date_known;

-- name: upsert_chunks
-- The chunks of a document; one that is there already only learns its place.
INSERT INTO knowledge_chunks (id, source_id, document_id, position, text, heading, page, language)
SELECT r.id, %(source_id)s, %(document_id)s, r.position, r.text, r.heading, r.page, r.language
FROM jsonb_to_recordset(%(rows)s) AS r (id text, position integer, text text, heading text[], page integer, language text)
ON CONFLICT (id) DO UPDATE SET
    position = excluded.position, heading = excluded.heading, page = excluded.page, language = excluded.language;

-- name: delete_chunks_except
-- Chunks whose words a document no longer holds.
DELETE FROM knowledge_chunks WHERE document_id = %(document_id)s AND NOT id = ANY (%(ids)s) RETURNING id;

-- name: delete_documents_except
-- Documents that a source no longer holds, with their chunks; returns the ids of these.
WITH gone AS (
    SELECT c.id FROM knowledge_chunks c WHERE c.source_id = %(source_id)s AND NOT c.document_id = ANY (%(ids)s)
), deleted AS (
    DELETE FROM knowledge_documents WHERE source_id = %(source_id)s AND NOT id = ANY (%(ids)s)
)
SELECT id FROM gone;

-- name: find_chunks
-- Chunks by id, of sources in use that a viewer may see.
SELECT c.id, c.source_id, c.document_id, c.position, c.text, d.title, c.heading, d.url, d.date, d.date_known,
    c.language, c.page
FROM knowledge_chunks c JOIN knowledge_documents d ON d.id = c.document_id JOIN knowledge_sources s ON s.id = c.source_id
WHERE c.id = ANY (%(ids)s) AND s.removed_at IS NULL
    AND (%(everything)s OR s.owner_id = %(viewer)s OR s.visibility = 'everyone');

-- name: list_chunks
-- The chunks of a source, newest document first and in reading order.
SELECT c.id, c.source_id, c.document_id, c.position, c.text, d.title, c.heading, d.url, d.date, d.date_known,
    c.language, c.page
FROM knowledge_chunks c JOIN knowledge_documents d ON d.id = c.document_id
WHERE c.source_id = %(source_id)s
    AND (%(date)s::date IS NULL OR (d.date, d.id) < (%(date)s::date, %(document_id)s)
        OR (d.date = %(date)s::date AND d.id = %(document_id)s AND c.position > %(position)s))
ORDER BY d.date DESC, d.id DESC, c.position LIMIT %(limit)s;

-- name: list_indexed_chunks
-- Chunks with what search must know of their sources, in order of id: to index one document or source, or everything.
SELECT c.id, c.source_id, c.document_id, c.text, c.heading, c.language, c.page, d.title, d.url, d.date,
    s.title AS source_title, s.kind, s.owner_id, s.visibility
FROM knowledge_chunks c JOIN knowledge_documents d ON d.id = c.document_id JOIN knowledge_sources s ON s.id = c.source_id
WHERE s.removed_at IS NULL
    AND (%(source_id)s::text IS NULL OR c.source_id = %(source_id)s)
    AND (%(document_id)s::text IS NULL OR c.document_id = %(document_id)s)
    AND (%(after)s::text IS NULL OR c.id > %(after)s)
ORDER BY c.id LIMIT %(limit)s;

-- name: count_chunks
-- How many chunks can be found.
SELECT count(*) FROM knowledge_chunks c JOIN knowledge_sources s ON s.id = c.source_id WHERE s.removed_at IS NULL;

-- name: list_chunk_ids
-- The ids of a source's chunks.
SELECT id FROM knowledge_chunks WHERE source_id = %(source_id)s;

-- name: count_owned_sources
-- The number of a person's sources, those in the bin included.
SELECT count(*) FROM knowledge_sources WHERE owner_id = %(owner_id)s;

-- name: hand_over_sources
-- Give a person's sources to another; what identifies a source stays, so that citations hold.
UPDATE knowledge_sources SET owner_id = %(to_id)s WHERE owner_id = %(from_id)s;

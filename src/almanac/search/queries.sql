-- name: lock_kinds
-- Wait for a rebuild of these kinds to finish its present batch, and keep the next one waiting until this commits.
SELECT pg_advisory_xact_lock_shared(%(space)s, hashtext(kind)) FROM unnest(%(kinds)s::text[]) AS kind;

-- name: lock_kind_exclusively
-- Keep everybody else from changing documents of a kind until this commits.
SELECT pg_advisory_xact_lock(%(space)s, hashtext(%(kind)s));

-- name: upsert_documents
-- Add documents, or replace those of the same kind and key.
INSERT INTO search_documents (
    kind, key, moment, owner, permission, facets, words, indexed_at, date, title, path, language, fields, body, whole,
    vector
)
SELECT
    kind, key, moment, owner, permission, string_to_array(facets, chr(31)), words, clock_timestamp(), date, title,
    path, language, fields::jsonb, body, whole, vector::tsvector
FROM unnest(
    %(kind)s::text[], %(key)s::text[], %(moment)s::bigint[], %(owner)s::text[], %(permission)s::text[],
    %(facets)s::text[], %(words)s::integer[], %(date)s::timestamptz[], %(title)s::text[], %(path)s::text[],
    %(language)s::text[], %(fields)s::text[], %(body)s::text[], %(whole)s::boolean[], %(vector)s::text[]
) AS given (
    kind, key, moment, owner, permission, facets, words, date, title, path, language, fields, body, whole, vector
)
ON CONFLICT ON CONSTRAINT search_documents_are_unique DO UPDATE SET
    moment = excluded.moment, owner = excluded.owner, permission = excluded.permission, facets = excluded.facets,
    words = excluded.words, indexed_at = excluded.indexed_at, date = excluded.date, title = excluded.title,
    path = excluded.path, language = excluded.language, fields = excluded.fields, body = excluded.body,
    whole = excluded.whole, vector = excluded.vector;

-- name: add_words
-- Add the words to the vocabulary that it doesn't have. None waits for a transaction that adds the same one.
INSERT INTO search_words (word, trigrams)
SELECT word, ARRAY(
    SELECT DISTINCT substr('  ' || word || ' ', place, 3) FROM generate_series(1, length(word) + 1) AS place
)
FROM unnest(%(words)s::text[]) AS word
WHERE NOT EXISTS (SELECT FROM search_words AS existing WHERE existing.word = word.word);

-- name: find_similar_words
-- Words of about the same length that share enough trigrams, those that share most first.
SELECT word FROM (
    SELECT DISTINCT word, (SELECT count(*) FROM unnest(trigrams) AS part WHERE part = ANY(%(trigrams)s)) AS shared
    FROM search_words
    WHERE trigrams && %(required)s::text[] AND length(word) BETWEEN %(shortest)s AND %(longest)s
) AS similar_words
WHERE shared >= %(shared)s ORDER BY shared DESC, word LIMIT %(limit)s;

-- name: count_words
-- For each expression how many documents of the viewer match it, up to a number.
SELECT (
    SELECT count(*) FROM (
        SELECT FROM search_documents
        WHERE vector @@ expression::tsquery
            AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
                OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
        LIMIT %(upto)s
    ) AS part
) AS documents
FROM unnest(%(expressions)s::text[]) WITH ORDINALITY AS asked (expression, place) ORDER BY place;

-- name: list_words
-- Words of the vocabulary after one of them.
SELECT DISTINCT word FROM search_words WHERE word > %(after)s ORDER BY word LIMIT %(limit)s;

-- name: list_indexed_lexemes
-- Which of these lexemes a document has.
SELECT lexeme FROM unnest(%(lexemes)s::text[]) AS lexeme
WHERE EXISTS (SELECT FROM search_documents WHERE vector @@ lexeme::tsquery);

-- name: remove_words
-- Remove words from the vocabulary, and all but one of those that were added more than once.
DELETE FROM search_words AS doomed
WHERE word = ANY(%(words)s) OR word BETWEEN %(first)s AND %(last)s AND EXISTS (
    SELECT FROM search_words AS other WHERE other.word = doomed.word AND other.ctid > doomed.ctid
);

-- name: remove_documents
-- Forget documents of a kind.
DELETE FROM search_documents WHERE kind = %(kind)s AND key = ANY(%(keys)s);

-- name: plan_for_search
-- For this transaction: always by the index, as reading every vector is what it spares us; no plans worth compiling,
-- and none for whatever words there may be, as rare and frequent ones want their own. Gives about how many documents there
-- are, as of the last time that PostgreSQL looked.
SELECT
    (SELECT reltuples::bigint FROM pg_class WHERE oid = 'search_documents'::regclass) AS documents,
    set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
    set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '64MB', true);

-- name: find_best
-- The best of what is found. Of very many, those are ranked where the words are prominent, and then the newest.
WITH found AS MATERIALIZED (
    SELECT id, moment FROM search_documents
    WHERE vector @@ %(everything)s::tsquery AND moment >= %(since)s AND moment < %(until)s
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
), prominent AS MATERIALIZED (
    SELECT id FROM search_documents
    WHERE vector @@ %(prominent)s::tsquery AND (SELECT count(*) FROM found) > %(ranked)s
), candidates AS (
    SELECT id, moment FROM found
    ORDER BY id IN (SELECT id FROM prominent) DESC, moment DESC, id DESC LIMIT %(ranked)s
), scored AS MATERIALIZED (
    SELECT
        id, moment, 1 + round(
            1000000 * ts_rank_cd(vector, %(ranking)s::tsquery) / (1 + ln(1 + words))
            * CASE WHEN language = ANY(%(languages)s) THEN %(language_boost)s ELSE 1 END
        )::bigint AS score
    FROM candidates JOIN search_documents USING (id, moment)
)
SELECT id, score, moment FROM scored
WHERE (score, moment, id) < (%(after_score)s, %(after_moment)s, %(after_id)s)
ORDER BY score DESC, moment DESC, id DESC LIMIT %(limit)s;

-- name: find_rest
-- What is found and not among the ranked, newest first; it follows the last of those.
WITH found AS MATERIALIZED (
    SELECT id, moment FROM search_documents
    WHERE vector @@ %(everything)s::tsquery AND moment >= %(since)s AND moment < %(until)s
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
), prominent AS MATERIALIZED (
    SELECT id FROM search_documents
    WHERE vector @@ %(prominent)s::tsquery AND (SELECT count(*) FROM found) > %(ranked)s
), rest AS (
    SELECT id, moment FROM found
    ORDER BY id IN (SELECT id FROM prominent) DESC, moment DESC, id DESC OFFSET %(ranked)s
)
SELECT id, 0::bigint AS score, moment FROM rest
WHERE %(after_score)s > 0 OR (moment, id) < (%(after_moment)s, %(after_id)s)
ORDER BY moment DESC, id DESC LIMIT %(limit)s;

-- name: find_newest
-- What is found, newest first, after a place; documents without a date come last.
WITH found AS MATERIALIZED (
    SELECT id, moment FROM search_documents
    WHERE vector @@ %(everything)s::tsquery AND moment >= %(since)s AND moment < %(until)s
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
)
SELECT id, 0::bigint AS score, moment FROM found WHERE (moment, id) < (%(after_moment)s, %(after_id)s)
ORDER BY moment DESC, id DESC LIMIT %(limit)s;

-- name: find_oldest
-- What is found, oldest first, after a place; documents without a date come last.
WITH found AS MATERIALIZED (
    SELECT id, CASE moment WHEN %(no_date)s THEN %(no_date_last)s ELSE moment END AS moment FROM search_documents
    WHERE vector @@ %(everything)s::tsquery AND moment >= %(since)s AND moment < %(until)s
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
)
SELECT id, 0::bigint AS score, moment FROM found WHERE (moment, id) > (%(after_moment)s, %(after_id)s)
ORDER BY moment, id LIMIT %(limit)s;

-- name: estimate_matches
-- About how many documents are found, by what PostgreSQL knows of their words without looking.
EXPLAIN (FORMAT JSON) SELECT FROM search_documents
WHERE vector @@ %(everything)s::tsquery AND moment >= %(since)s AND moment < %(until)s;

-- name: count_matches
-- How many documents are found, up to a number. What finds them is planned for all: for few, it would not use the index.
WITH found AS MATERIALIZED (
    SELECT FROM search_documents
    WHERE vector @@ %(everything)s::tsquery AND moment >= %(since)s AND moment < %(until)s
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
)
SELECT count(*) FROM (SELECT FROM found LIMIT %(upto)s) AS part;

-- name: count_facets
-- How many of the documents found, up to a number, have which value of the facets asked for, the most frequent of each.
WITH found AS MATERIALIZED (
    SELECT facets FROM search_documents
    WHERE vector @@ %(everything)s::tsquery AND moment >= %(since)s AND moment < %(until)s
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
), counted AS MATERIALIZED (
    SELECT facet, count(*) AS count FROM (SELECT facets FROM found LIMIT %(upto)s) AS part, unnest(facets) AS facet
    GROUP BY facet
), named AS (
    SELECT split_part(facet, '=', 1) AS name, substr(facet, strpos(facet, '=') + 1) AS value, count FROM counted
), ordered AS (
    SELECT *, row_number() OVER (PARTITION BY name ORDER BY count DESC, value) AS place
    FROM named WHERE name = ANY(%(names)s)
)
SELECT name, value, count FROM ordered WHERE place <= %(most)s ORDER BY name, place;

-- name: count_newest
-- The same of the newest that are found.
WITH found AS MATERIALIZED (
    SELECT id, moment, facets FROM search_documents
    WHERE vector @@ %(everything)s::tsquery AND moment >= %(since)s AND moment < %(until)s
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
), counted AS MATERIALIZED (
    SELECT facet, count(*) AS count
    FROM (SELECT facets FROM found ORDER BY moment DESC, id DESC LIMIT %(upto)s) AS newest, unnest(facets) AS facet
    GROUP BY facet
), named AS (
    SELECT split_part(facet, '=', 1) AS name, substr(facet, strpos(facet, '=') + 1) AS value, count FROM counted
), ordered AS (
    SELECT *, row_number() OVER (PARTITION BY name ORDER BY count DESC, value) AS place
    FROM named WHERE name = ANY(%(names)s)
)
SELECT name, value, count FROM ordered WHERE place <= %(most)s ORDER BY name, place;

-- name: find_newest_unfiltered
-- The newest of all documents of some kinds, after a place; for each group of people that sees some, the newest of it.
WITH seen AS MATERIALIZED (
    SELECT DISTINCT kind, owner, permission FROM search_kept_counts
    WHERE name = 'kind' AND (cardinality(%(kinds)s::text[]) = 0 OR kind = ANY(%(kinds)s))
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
)
SELECT newest.id, 0::bigint AS score, newest.moment FROM seen, LATERAL (
    SELECT id, moment FROM search_documents AS one
    WHERE one.kind = seen.kind AND coalesce('=' || one.owner, '') = coalesce('=' || seen.owner, '')
        AND coalesce('=' || one.permission, '') = coalesce('=' || seen.permission, '')
        AND moment >= %(since)s AND moment < %(until)s AND (moment, id) < (%(after_moment)s, %(after_id)s)
    ORDER BY moment DESC, id DESC LIMIT %(limit)s
) AS newest
ORDER BY newest.moment DESC, newest.id DESC LIMIT %(limit)s;

-- name: find_oldest_unfiltered
-- The oldest of all documents of some kinds, after a place, in the same way; documents without a date come last.
WITH seen AS MATERIALIZED (
    SELECT DISTINCT kind, owner, permission FROM search_kept_counts
    WHERE name = 'kind' AND (cardinality(%(kinds)s::text[]) = 0 OR kind = ANY(%(kinds)s))
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
)
SELECT oldest.id, 0::bigint AS score, oldest.moment FROM seen, LATERAL (
    (SELECT id, moment FROM search_documents AS one
    WHERE one.kind = seen.kind AND coalesce('=' || one.owner, '') = coalesce('=' || seen.owner, '')
        AND coalesce('=' || one.permission, '') = coalesce('=' || seen.permission, '')
        AND moment > %(no_date)s AND moment >= %(since)s AND moment < %(until)s
        AND (moment, id) > (%(after_moment)s, %(after_id)s)
    ORDER BY moment, id LIMIT %(limit)s)
    UNION ALL
    (SELECT id, %(no_date_last)s::bigint FROM search_documents AS one
    WHERE one.kind = seen.kind AND coalesce('=' || one.owner, '') = coalesce('=' || seen.owner, '')
        AND coalesce('=' || one.permission, '') = coalesce('=' || seen.permission, '')
        AND moment = %(no_date)s AND moment >= %(since)s
        AND (%(after_moment)s < %(no_date_last)s OR id > %(after_id)s)
    ORDER BY moment, id LIMIT %(limit)s)
) AS oldest (id, moment)
ORDER BY oldest.moment, oldest.id LIMIT %(limit)s;

-- name: list_stored_counts
-- How many of all documents of some kinds have which value of the facets asked for, without looking at any.
WITH counted AS (
    SELECT name, value, sum(documents)::bigint AS count FROM search_kept_counts
    WHERE name = ANY(%(names)s) AND (cardinality(%(kinds)s::text[]) = 0 OR kind = ANY(%(kinds)s))
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
    GROUP BY name, value HAVING sum(documents) > 0
), ordered AS (
    SELECT *, row_number() OVER (PARTITION BY name ORDER BY count DESC, value) AS place FROM counted
)
SELECT name, value, count FROM ordered WHERE place <= %(most)s ORDER BY name, place;

-- name: count_between_dates
-- How many of the newest documents of some kinds and days have which value of the facets asked for.
WITH seen AS MATERIALIZED (
    SELECT DISTINCT kind, owner, permission FROM search_kept_counts
    WHERE name = 'kind' AND (cardinality(%(kinds)s::text[]) = 0 OR kind = ANY(%(kinds)s))
        AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
            OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
), counted AS MATERIALIZED (
    SELECT facet, count(*) AS count FROM (
        SELECT newest.facets FROM seen, LATERAL (
            SELECT facets, moment, id FROM search_documents AS one
            WHERE one.kind = seen.kind AND coalesce('=' || one.owner, '') = coalesce('=' || seen.owner, '')
                AND coalesce('=' || one.permission, '') = coalesce('=' || seen.permission, '')
                AND moment >= %(since)s AND moment < %(until)s
            ORDER BY moment DESC, id DESC LIMIT %(upto)s
        ) AS newest
        ORDER BY newest.moment DESC, newest.id DESC LIMIT %(upto)s
    ) AS found, unnest(facets) AS facet GROUP BY facet
), named AS (
    SELECT split_part(facet, '=', 1) AS name, substr(facet, strpos(facet, '=') + 1) AS value, count FROM counted
), ordered AS (
    SELECT *, row_number() OVER (PARTITION BY name ORDER BY count DESC, value) AS place
    FROM named WHERE name = ANY(%(names)s)
)
SELECT name, value, count FROM ordered WHERE place <= %(most)s ORDER BY name, place;

-- name: claim_count_changes
-- Whether so many changes wait that this transaction shall add them to the counts; nobody else does meanwhile.
SELECT CASE WHEN count(*) >= %(many)s THEN pg_try_advisory_xact_lock(%(space)s, 0) ELSE false END
FROM (SELECT FROM search_count_changes LIMIT %(many)s) AS waiting;

-- name: apply_count_changes
-- Add to the counts what has changed since, and forget the changes.
WITH taken AS (
    DELETE FROM search_count_changes RETURNING kind, owner, permission, name, value, documents
)
INSERT INTO search_counts AS kept (kind, owner, permission, name, value, documents)
SELECT kind, owner, permission, name, value, sum(documents) FROM taken
GROUP BY kind, owner, permission, name, value HAVING sum(documents) <> 0
ON CONFLICT ON CONSTRAINT search_counts_are_unique DO UPDATE SET documents = kept.documents + excluded.documents;

-- name: delete_empty_counts
-- Values that no document has any more.
DELETE FROM search_counts WHERE documents = 0;

-- name: find_documents
-- What is shown of documents, with the part of their text that snippets are looked for in.
SELECT id, kind, key, title, path, language, date, facets, fields, left(body, %(looked_at)s) AS body
FROM search_documents WHERE id = ANY(%(ids)s);

-- name: find_document_keys
-- The kinds and keys of documents.
SELECT id, kind, key FROM search_documents WHERE id = ANY(%(ids)s);

-- name: begin_rebuild
-- Go on with the rebuild of a kind that was interrupted, or begin one.
-- Code with another fingerprint begins from the start, or half of the documents would be indexed by the old one.
INSERT INTO search_rebuilds AS known (kind, started_at, after, done, total, building)
VALUES (%(kind)s, clock_timestamp(), NULL, 0, %(total)s, %(fingerprint)s)
ON CONFLICT (kind) DO UPDATE SET
    started_at = CASE WHEN %(restart)s OR known.finished_at IS NOT NULL
        OR known.building IS DISTINCT FROM excluded.building THEN clock_timestamp() ELSE known.started_at END,
    after = CASE WHEN %(restart)s OR known.finished_at IS NOT NULL
        OR known.building IS DISTINCT FROM excluded.building THEN NULL ELSE known.after END,
    done = CASE WHEN %(restart)s OR known.finished_at IS NOT NULL
        OR known.building IS DISTINCT FROM excluded.building THEN 0 ELSE known.done END,
    total = excluded.total, finished_at = NULL, building = excluded.building
RETURNING started_at, after, done, total;

-- name: advance_rebuild
-- Where a rebuild goes on.
UPDATE search_rebuilds SET after = %(after)s, done = %(done)s WHERE kind = %(kind)s;

-- name: finish_rebuild
-- The rebuild is complete; the next one starts from the beginning.
UPDATE search_rebuilds
SET after = NULL, finished_at = clock_timestamp(), fingerprint = building, job_id = NULL
WHERE kind = %(kind)s;

-- name: lock_fingerprints
-- Keep other processes from deciding at the same time what has to be rebuilt.
SELECT pg_advisory_xact_lock(%(space)s, 0);

-- name: list_fingerprints
-- By which code each kind was indexed, and the job that rebuilds it.
SELECT kind, fingerprint, job_id FROM search_rebuilds;

-- name: list_indexed_kinds
-- Which of these kinds have documents in the index.
SELECT kind FROM unnest(%(kinds)s::text[]) AS kind
WHERE EXISTS (SELECT FROM search_documents AS d WHERE d.kind = kind.kind);

-- name: mark_current
-- Note that the documents of a kind are as this code would index them, when there are none.
INSERT INTO search_rebuilds (kind, started_at, done, total, finished_at, fingerprint, building)
VALUES (%(kind)s, clock_timestamp(), 0, 0, clock_timestamp(), %(fingerprint)s, %(fingerprint)s)
ON CONFLICT (kind) DO UPDATE SET fingerprint = excluded.fingerprint, building = excluded.building;

-- name: set_rebuild_job
-- Note which job rebuilds a kind. What was known of an older rebuild stays, for it may have been interrupted.
INSERT INTO search_rebuilds (kind, started_at, done, total, job_id)
VALUES (%(kind)s, clock_timestamp(), 0, 0, %(job_id)s)
ON CONFLICT (kind) DO UPDATE SET job_id = excluded.job_id;

-- name: remove_stale
-- Forget the documents of a kind that were neither given again nor changed since a rebuild began.
DELETE FROM search_documents WHERE kind = %(kind)s AND indexed_at < %(started_at)s;

-- name: clean_index
-- Move what waits in the index's list to its place, so that no search reads through it.
SELECT gin_clean_pending_list('search_documents_vector');

-- name: describe_index
-- How many documents there are, and how many of them are too long to be found whole.
SELECT count(*) AS documents, count(*) FILTER (WHERE NOT whole) AS cut FROM search_documents;

-- name: has_pgvector
-- Whether this database has pgvector, or could get it from us.
SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') OR (
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')
    AND EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND rolsuper)
);

-- name: enable_vectors
-- Let this database compare vectors.
CREATE EXTENSION IF NOT EXISTS vector;

-- name: list_unembedded
-- Documents that were put since they were given to the model, or never were.
SELECT
    documents.id, documents.indexed_at, left(documents.title || chr(10) || documents.body, %(longest)s) AS text,
    embeddings.digest
FROM search_documents AS documents
LEFT JOIN search_embeddings AS embeddings
    ON embeddings.document_id = documents.id AND embeddings.model = %(model)s
WHERE embeddings.document_id IS NULL OR embeddings.indexed_at <> documents.indexed_at
ORDER BY documents.id LIMIT %(limit)s;

-- name: upsert_embedding
-- Keep what a document means to a model, unless it is gone.
INSERT INTO search_embeddings (document_id, model, digest, indexed_at, embedding)
SELECT id, %(model)s, %(digest)s, %(indexed_at)s, %(embedding)s::real[] FROM search_documents WHERE id = %(id)s
ON CONFLICT (document_id) DO UPDATE SET
    model = excluded.model, digest = excluded.digest, indexed_at = excluded.indexed_at, embedding = excluded.embedding;

-- name: touch_embedding
-- The text of a document is as it was, so its embedding stays.
UPDATE search_embeddings SET indexed_at = %(indexed_at)s WHERE document_id = %(id)s;

-- name: find_nearest
-- Documents that mean about the same as the query, nearest first, within its filters; and whether its words occur.
SELECT id, moment, vector @@ %(everything)s::tsquery AS has_words
FROM search_embeddings JOIN search_documents ON id = document_id
WHERE model = %(model)s AND vector @@ %(restrictions)s::tsquery AND moment >= %(since)s AND moment < %(until)s
    AND (%(sees_everything)s OR owner IS NULL AND permission IS NULL
        OR owner = %(viewer)s::text AND kind <> ALL(%(hidden_kinds)s) OR permission = ANY(%(permissions)s))
    AND embedding::vector <=> %(embedding)s::real[]::vector <= %(farthest)s
ORDER BY embedding::vector <=> %(embedding)s::real[]::vector, id LIMIT %(most)s;

-- name: hand_over_documents
-- Let another person find what somebody owned, of some kinds; the counts follow by their trigger.
UPDATE search_documents SET owner = %(to_id)s WHERE owner = %(from_id)s AND kind = ANY(%(kinds)s);

-- name: lock_register
-- Let only one transaction at a time change the register, so that its counts stay consistent.
SELECT pg_advisory_xact_lock(%(lock)s);

-- name: upsert_values
-- Add values, and new spellings of existing values.
INSERT INTO recap_values AS known (id, facet, folded, spellings)
SELECT (code << 26) | nextval('recap_value_numbers')::integer, facet, folded, spellings FROM (
    SELECT code, facet, folded, array_agg(DISTINCT value) AS spellings
    FROM unnest(%(codes)s::integer[], %(facets)s::text[], %(folded)s::text[], %(values)s::text[])
        AS given (code, facet, folded, value)
    GROUP BY code, facet, folded
) AS given
ON CONFLICT ON CONSTRAINT recap_values_are_unique DO UPDATE
SET spellings = ARRAY(SELECT DISTINCT unnest(known.spellings || excluded.spellings))
WHERE NOT known.spellings @> excluded.spellings;

-- name: find_values
-- The numbers and spellings of values, and how many articles are filed under each.
SELECT known.id, known.facet, known.folded, known.spellings, known.articles
FROM recap_values AS known
JOIN unnest(%(facets)s::text[], %(folded)s::text[]) AS given (facet, folded) USING (facet, folded);

-- name: list_filed_values
-- The place of articles and the values they are filed under.
SELECT id, place, filed FROM recap_articles WHERE id = ANY(%(ids)s);

-- name: delete_from_lists
-- Remove articles from the lists of their values.
DELETE FROM recap_filed USING unnest(%(values)s::integer[], %(places)s::bigint[]) AS given (value, place)
WHERE recap_filed.value = given.value AND recap_filed.place = given.place;

-- name: upsert_articles
-- Insert or update articles with their values and cards.
WITH given AS (
    SELECT id, version, day, string_to_array(filed, ' ')::integer[] AS filed, card::jsonb
    FROM unnest(%(ids)s::text[], %(versions)s::integer[], %(days)s::date[], %(filed)s::text[], %(cards)s::text[])
        AS given (id, version, day, filed, card)
), filed AS (
    INSERT INTO recap_articles (id, version, day, filed) SELECT id, version, day, filed FROM given
    ON CONFLICT ON CONSTRAINT recap_articles_are_named_once DO UPDATE
    SET version = excluded.version, day = excluded.day, filed = excluded.filed,
        changed_at = CASE WHEN recap_articles.version = excluded.version THEN recap_articles.changed_at ELSE now() END
    RETURNING number, id, place, filed
), listed AS (
    INSERT INTO recap_filed (value, place) SELECT unnest(filed), place FROM filed
)
INSERT INTO recap_cards (number, card) SELECT number, card FROM filed JOIN given USING (id)
ON CONFLICT (number) DO UPDATE SET card = excluded.card;

-- name: delete_articles
-- Delete articles from the register.
DELETE FROM recap_articles WHERE id = ANY(%(ids)s);

-- name: adjust_value_counts
-- Change the number of articles of values.
UPDATE recap_values SET articles = articles + change
FROM unnest(%(values)s::integer[], %(changes)s::integer[]) AS given (value, change) WHERE id = value;

-- name: find_values_to_list
-- The same as find_values; and if there is any, for the rest of this transaction: scan the list in order and look up
-- each article, however long the list is.
SELECT known.id, known.facet, known.folded, known.spellings, known.articles
FROM recap_values AS known
JOIN unnest(%(facets)s::text[], %(folded)s::text[]) AS given (facet, folded) USING (facet, folded)
CROSS JOIN (
    SELECT
        set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
        set_config('jit', 'off', true)
    OFFSET 0
) AS planner_options;

-- name: list_newest
-- Articles in the list of one value that are filed as wanted, newest first.
SELECT article.number, article.place, article.filed
FROM recap_filed AS listed JOIN recap_articles AS article USING (place)
WHERE listed.value = %(value)s AND listed.place > %(above)s AND listed.place < %(below)s
    AND article.vector @@ %(wanted)s::tsquery
ORDER BY listed.place DESC LIMIT %(limit)s;

-- name: list_oldest
-- Articles in the list of one value that are filed as wanted, oldest first.
SELECT article.number, article.place, article.filed
FROM recap_filed AS listed JOIN recap_articles AS article USING (place)
WHERE listed.value = %(value)s AND listed.place > %(above)s AND listed.place < %(below)s
    AND article.vector @@ %(wanted)s::tsquery
ORDER BY listed.place LIMIT %(limit)s;

-- name: list_newest_any
-- Articles in the lists of several values that are filed as wanted, newest first.
WITH listed AS MATERIALIZED (
    SELECT DISTINCT place FROM recap_filed
    WHERE value = ANY(%(values)s) AND place > %(above)s AND place < %(below)s ORDER BY place DESC
)
SELECT article.number, article.place, article.filed
FROM listed JOIN recap_articles AS article USING (place) WHERE article.vector @@ %(wanted)s::tsquery
ORDER BY listed.place DESC LIMIT %(limit)s;

-- name: list_oldest_any
-- Articles in the lists of several values that are filed as wanted, oldest first.
WITH listed AS MATERIALIZED (
    SELECT DISTINCT place FROM recap_filed
    WHERE value = ANY(%(values)s) AND place > %(above)s AND place < %(below)s ORDER BY place
)
SELECT article.number, article.place, article.filed
FROM listed JOIN recap_articles AS article USING (place) WHERE article.vector @@ %(wanted)s::tsquery
ORDER BY listed.place LIMIT %(limit)s;

-- name: list_cards
-- The cards of articles.
SELECT number, card FROM recap_cards WHERE number = ANY(%(numbers)s);

-- name: name_values
-- The spellings of values.
SELECT id, facet, spellings FROM recap_values WHERE id = ANY(%(ids)s);

-- name: suggest_values
-- Values that begin with a text, the most frequent first.
SELECT facet, spellings, articles FROM recap_values
WHERE folded LIKE %(beginning)s AND facet = ANY(%(facets)s) AND articles > 0
ORDER BY articles DESC, folded LIMIT %(limit)s;

-- name: add_names
-- Add forms by which people are looked for.
INSERT INTO recap_names (form, value, is_whole)
SELECT form, value, is_whole FROM unnest(%(forms)s::text[], %(values)s::integer[], %(wholes)s::boolean[])
    AS given (form, value, is_whole)
ON CONFLICT (value, form) DO NOTHING;

-- name: find_people
-- Names of which every word begins a form, those whose whole name begins so first, then the most frequent.
WITH matching AS MATERIALIZED (
    SELECT named.value, count(DISTINCT asked.position) AS matched, bool_or(named.is_whole) AS begins
    FROM unnest(%(words)s::text[]) WITH ORDINALITY AS asked (word, position)
    JOIN recap_names AS named ON named.form ~>=~ asked.word AND named.form ~<~ (asked.word || chr(1114111))
    GROUP BY named.value
)
SELECT known.spellings, known.articles FROM matching JOIN recap_values AS known ON known.id = matching.value
WHERE matching.matched = cardinality(%(words)s::text[]) AND known.articles > 0
ORDER BY matching.begins DESC, known.articles DESC, known.folded LIMIT %(limit)s;

-- name: get_registered_version
-- The registered version of an article.
SELECT version FROM recap_articles WHERE id = %(id)s;

-- name: list_registered_versions
-- The registered versions of some articles.
SELECT id, version FROM recap_articles WHERE id = ANY(%(ids)s);

-- name: count_articles
-- How many articles the register has.
SELECT count(*) FROM recap_articles;

-- name: mark_announced
-- Note the latest decision about an article that was announced; nothing if it was announced before.
INSERT INTO recap_editorial_decisions AS decided (article_id, revision) VALUES (%(id)s, %(revision)s)
ON CONFLICT (article_id) DO UPDATE SET revision = excluded.revision WHERE decided.revision < excluded.revision;

-- name: list_session_stamps
-- The sessions of all articles, each with a digest of which articles it has in which version.
SELECT (listed.card ->> 'session')::integer AS session,
    md5(string_agg(concat_ws(' ', article.id, article.version, article.changed_at), ',' ORDER BY article.id)) AS stamp
FROM recap_articles AS article JOIN recap_cards AS listed USING (number)
WHERE listed.card ->> 'session' IS NOT NULL
GROUP BY 1 ORDER BY 1;

-- name: list_made_sessions
-- The sessions that have files, and what those were made from.
SELECT session, stamp FROM recap_bulk_sessions;

-- name: list_session_articles
-- The articles of a session, the oldest first.
SELECT article.id FROM recap_articles AS article JOIN recap_cards AS listed USING (number)
WHERE (listed.card ->> 'session')::integer = %(session)s ORDER BY article.place;

-- name: list_bulk_keys
-- Where the files of a session are kept.
SELECT key FROM recap_bulk_files WHERE session = %(session)s;

-- name: delete_bulk_session
-- Delete a session's files and figures.
DELETE FROM recap_bulk_sessions WHERE session = %(session)s;

-- name: insert_bulk_session
-- Insert what the files of a session were made from, and what was counted.
INSERT INTO recap_bulk_sessions (session, stamp, articles, speeches, decisions, unbound, corrections, origins, made_at)
VALUES (
    %(session)s, %(stamp)s, %(articles)s, %(speeches)s, %(decisions)s, %(unbound)s, %(corrections)s, %(origins)s, %(now)s
);

-- name: insert_bulk_file
-- Insert a file.
INSERT INTO recap_bulk_files (name, session, content, key, lines, size, digest, made_at)
VALUES (%(name)s, %(session)s, %(content)s, %(key)s, %(lines)s, %(size)s, %(digest)s, %(now)s);

-- name: record_open_reports
-- Remember how many error reports are open.
INSERT INTO recap_open_reports (count, counted_at) VALUES (%(count)s, %(now)s)
ON CONFLICT (is_only_row) DO UPDATE SET count = excluded.count, counted_at = excluded.counted_at;

-- name: delete_speeches
-- Delete the speeches of articles.
DELETE FROM recap_speeches USING recap_articles
WHERE recap_articles.id = ANY(%(ids)s) AND recap_speeches.article = recap_articles.number;

-- name: insert_speeches
-- Add speeches of articles that are registered.
INSERT INTO recap_speeches (place, speech, article, words, facets, about, text, vector)
SELECT
    article.place, given.speech, article.number, given.words, string_to_array(given.facets, chr(31)), given.about::jsonb,
    given.text, given.vector::tsvector
FROM unnest(
    %(ids)s::text[], %(orders)s::integer[], %(words)s::integer[], %(facets)s::text[], %(about)s::text[],
    %(texts)s::text[], %(vectors)s::text[]
) AS given (id, speech, words, facets, about, text, vector)
JOIN recap_articles AS article USING (id);

-- name: plan_for_speeches
-- For this transaction: by the index, with a plan for the words at hand. Gives about how many speeches there are as of the
-- last time that PostgreSQL looked, and the days of the first and the last.
SELECT
    (SELECT reltuples::bigint FROM pg_class WHERE oid = 'recap_speeches'::regclass) AS speeches,
    (SELECT min(place) FROM recap_speeches) AS first_place, (SELECT max(place) FROM recap_speeches) AS last_place,
    set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
    set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '64MB', true);

-- name: estimate_speeches
-- About how many speeches match, by what PostgreSQL knows of their words without looking.
EXPLAIN (FORMAT JSON) SELECT FROM recap_speeches WHERE vector @@ %(wanted)s::tsquery;

-- name: count_speeches
-- How many speeches match, up to a number.
WITH matching AS MATERIALIZED (
    SELECT FROM recap_speeches
    WHERE vector @@ %(wanted)s::tsquery AND place > %(above)s AND place < %(below)s
)
SELECT count(*) FROM (SELECT FROM matching LIMIT %(upto)s) AS part;

-- name: list_newest_speeches
-- Speeches that match, newest first, after a place.
WITH matching AS MATERIALIZED (
    SELECT place, speech FROM recap_speeches
    WHERE vector @@ %(wanted)s::tsquery AND place > %(above)s AND place < %(below)s
)
SELECT place, speech, 0::bigint AS score FROM matching WHERE (place, speech) < (%(after_place)s, %(after_speech)s)
ORDER BY place DESC, speech DESC LIMIT %(limit)s;

-- name: list_oldest_speeches
-- Speeches that match, oldest first, after a place.
WITH matching AS MATERIALIZED (
    SELECT place, speech FROM recap_speeches
    WHERE vector @@ %(wanted)s::tsquery AND place > %(above)s AND place < %(below)s
)
SELECT place, speech, 0::bigint AS score FROM matching WHERE (place, speech) > (%(after_place)s, %(after_speech)s)
ORDER BY place, speech LIMIT %(limit)s;

-- name: list_best_speeches
-- The best of the newest speeches that match, after a score and a place.
WITH matching AS MATERIALIZED (
    SELECT place, speech FROM recap_speeches
    WHERE vector @@ %(wanted)s::tsquery AND place > %(above)s AND place < %(below)s
), candidates AS (
    SELECT place, speech FROM matching ORDER BY place DESC, speech DESC LIMIT %(ranked)s
), scored AS MATERIALIZED (
    SELECT
        place, speech,
        1 + round(1000000 * ts_rank_cd(vector, %(ranking)s::tsquery) / (1 + ln(1 + words)))::bigint AS score
    FROM candidates JOIN recap_speeches USING (place, speech)
)
SELECT place, speech, score FROM scored
WHERE (score, place, speech) < (%(after_score)s, %(after_place)s, %(after_speech)s)
ORDER BY score DESC, place DESC, speech DESC LIMIT %(limit)s;

-- name: survey_speeches
-- How many of the newest speeches that match have which value, the most frequent of each facet; the total is under “all”, and
-- the newest places themselves under “page”.
WITH matching AS MATERIALIZED (
    SELECT place, speech, facets FROM recap_speeches
    WHERE vector @@ %(wanted)s::tsquery AND place > %(above)s AND place < %(below)s
), newest AS MATERIALIZED (
    SELECT place, speech, facets FROM matching ORDER BY place DESC, speech DESC LIMIT %(upto)s
), counted AS MATERIALIZED (
    SELECT facet, count(*) AS count FROM newest, unnest(facets) AS facet GROUP BY facet
), named AS (
    SELECT split_part(facet, '=', 1) AS name, substr(facet, strpos(facet, '=') + 1) AS value, count FROM counted
), ordered AS (
    SELECT *, row_number() OVER (PARTITION BY name ORDER BY count DESC, value) AS position
    FROM named WHERE name = ANY(%(names)s)
)
SELECT name, value, count, 0::bigint AS place FROM ordered WHERE position <= %(most)s
UNION ALL SELECT 'all', '', count(*), 0 FROM matching
UNION ALL
(SELECT 'page', '', speech, place FROM newest ORDER BY place DESC, speech DESC LIMIT %(limit)s);

-- name: read_speeches
-- What is shown of speeches.
SELECT
    said.place, said.speech, said.facets, said.about, left(said.text, %(longest)s) AS text, listed.card, article.first_at
FROM unnest(%(places)s::bigint[], %(speeches)s::integer[]) AS given (place, speech)
JOIN recap_speeches AS said USING (place, speech)
JOIN recap_articles AS article ON article.number = said.article
JOIN recap_cards AS listed ON listed.number = said.article;

-- name: list_speeches_since
-- Speeches that match, of articles first published after a moment, in the order of their publication.
SELECT said.place, said.speech, 0::bigint AS score
FROM recap_articles AS article JOIN recap_speeches AS said ON said.article = article.number
WHERE article.first_at > %(moment)s AND said.vector @@ %(wanted)s::tsquery
ORDER BY article.first_at, article.number, said.speech LIMIT %(limit)s;

-- name: put_group_votes
-- Add official votes by group, or replace those of the same house, day, title and counts.
INSERT INTO recap_group_votes (house, day, title, total, in_favour, against, groups, source)
SELECT DISTINCT ON (day, title, in_favour, against)
    %(house)s, day, title, total, in_favour, against, groups::jsonb, source
FROM unnest(
    %(days)s::date[], %(titles)s::text[], %(totals)s::integer[], %(in_favour)s::integer[], %(against)s::integer[],
    %(groups)s::text[], %(sources)s::text[]
) AS given (day, title, total, in_favour, against, groups, source)
ON CONFLICT (house, day, title, in_favour, against) DO UPDATE
SET total = excluded.total, groups = excluded.groups, source = excluded.source;

-- name: list_group_votes
-- The official votes by group of a house on a day.
SELECT day, title, total, in_favour, against, groups, source FROM recap_group_votes
WHERE house = %(house)s AND day = %(day)s;

-- name: record_source_attempt
-- Record what a source answered; a failure that goes on keeps its beginning.
INSERT INTO recap_sources (address, tried_at, reached_at, failing_since, failures, error)
VALUES (
    %(address)s, %(now)s, CASE WHEN %(error)s = '' THEN %(now)s::timestamptz END,
    CASE WHEN %(error)s <> '' THEN %(now)s::timestamptz END, (%(error)s <> '')::integer, %(error)s
)
ON CONFLICT (address) DO UPDATE SET
    tried_at = excluded.tried_at,
    reached_at = coalesce(excluded.reached_at, recap_sources.reached_at),
    failing_since = CASE WHEN excluded.error <> '' THEN coalesce(recap_sources.failing_since, excluded.tried_at) END,
    failures = CASE WHEN excluded.error <> '' THEN recap_sources.failures + 1 ELSE 0 END,
    error = excluded.error;

-- name: list_failing_sources
-- Sources that failed when they were last asked.
SELECT address, tried_at, reached_at, failing_since, failures, error FROM recap_sources
WHERE address = ANY(%(addresses)s) AND failing_since IS NOT NULL
ORDER BY failing_since, address;

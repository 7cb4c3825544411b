-- name: documented_pending
SELECT id, url, source_task, discovered_at
FROM news_links
WHERE status = 'pending'
ORDER BY discovered_at DESC
LIMIT 100;

-- name: documented_processed
SELECT 
    nl.id,
    nl.url,
    nl.discovered_at,
    pc.title,
    pc.content,
    pc.metadata
FROM news_links nl
JOIN processed_content pc ON nl.id = pc.link_id
WHERE nl.status = 'completed'
ORDER BY nl.processed_at DESC;

-- name: documented_statistics
SELECT 
    COUNT(*) as total_links,
    COUNT(*) FILTER (WHERE status = 'pending') as pending,
    COUNT(*) FILTER (WHERE status = 'processing') as processing,
    COUNT(*) FILTER (WHERE status = 'completed') as completed,
    COUNT(*) FILTER (WHERE status = 'failed') as failed
FROM news_links;

-- name: documented_active_tasks
SELECT *
FROM query_tasks
WHERE is_active = true
ORDER BY task_name;

-- name: delete_old_failures
DELETE FROM news_links
WHERE status = 'failed'
AND processed_at < NOW() - INTERVAL '30 days';

-- name: mark_unchecked_links
UPDATE news_links SET last_checked = NOW() WHERE status = 'processing' AND last_checked IS NULL;

-- name: reset_stuck_links
UPDATE news_links
SET status = 'pending',
    error_message = 'Reset from stuck processing state'
WHERE status = 'processing'
AND last_checked < NOW() - INTERVAL '1 hour';

-- name: vacuum_links
VACUUM ANALYZE news_links;

-- name: vacuum_content
VACUUM ANALYZE processed_content;

-- name: vacuum_tasks
VACUUM ANALYZE query_tasks;

-- name: count_links_by_status
SELECT
    count(*) AS total_links,
    count(*) FILTER (WHERE status = 'pending') AS pending,
    count(*) FILTER (WHERE status = 'processing') AS processing,
    count(*) FILTER (WHERE status = 'completed') AS completed,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    count(*) FILTER (WHERE status = 'blocked') AS blocked,
    count(*) FILTER (WHERE status = 'duplicate') AS duplicate
FROM news_links;

-- name: add_links
WITH given AS (
    SELECT * FROM json_to_recordset(%(links)s::json) AS given (
        url text, canonical_url text, url_hash text, raw_hash text, title text, domain text, published date
    )
)
INSERT INTO news_links (
    url, url_hash, title, discovered_at, source_task, status, error_message, cause, canonical_url, domain, published,
    next_attempt_at, created_at
)
SELECT
    g.url, g.url_hash, NULLIF(g.title, ''), %(now)s, %(task)s,
    CASE WHEN b.domain IS NULL THEN 'pending' ELSE 'blocked' END,
    'The site is blocked until ' || to_char(b.until, 'YYYY-MM-DD') || ': ' || COALESCE(b.reason, 'it refused us.'),
    CASE WHEN b.domain IS NULL THEN NULL ELSE 'blacklist' END,
    g.canonical_url, g.domain, g.published, b.until, %(now)s
FROM given g
LEFT JOIN news_blocked_sites b ON b.domain = g.domain AND b.until > %(now)s
WHERE NOT EXISTS (SELECT FROM news_aliases a WHERE a.url_hash = g.url_hash)
  AND (g.raw_hash = g.url_hash OR NOT EXISTS (SELECT FROM news_links l WHERE l.url_hash = g.raw_hash))
ON CONFLICT (url_hash) DO NOTHING
RETURNING id, status;

-- name: credit_links
INSERT INTO news_link_tasks (link_id, task_id, run_id, found_at)
SELECT known.id, %(task_id)s, %(run_id)s, %(now)s
FROM (
    SELECT id FROM news_links WHERE url_hash = ANY(%(hashes)s)
    UNION
    SELECT link_id FROM news_aliases WHERE url_hash = ANY(%(hashes)s)
) AS known (id)
ON CONFLICT DO NOTHING;

-- name: list_foreign_links
SELECT id, url FROM news_links WHERE canonical_url IS NULL AND status IS DISTINCT FROM 'processing'
ORDER BY id LIMIT %(limit)s
FOR UPDATE SKIP LOCKED;

-- name: adopt_links
WITH given AS (
    SELECT * FROM unnest(%(ids)s::int[], %(canonicals)s::text[], %(hashes)s::text[], %(domains)s::text[])
        AS given (id, canonical_url, url_hash, domain)
), adopted AS (
    UPDATE news_links
    SET canonical_url = given.canonical_url, domain = given.domain, status = COALESCE(status, 'pending')
    FROM given WHERE news_links.id = given.id
)
INSERT INTO news_aliases (url_hash, url, link_id)
SELECT DISTINCT ON (given.url_hash) given.url_hash, given.canonical_url, given.id FROM given
WHERE NOT EXISTS (SELECT FROM news_links l WHERE l.url_hash = given.url_hash)
ORDER BY given.url_hash, given.id
ON CONFLICT DO NOTHING;

-- name: reject_foreign_link
UPDATE news_links
SET canonical_url = url, domain = '', cause = 'bad_address', error_message = %(reason)s, processed_at = %(now)s,
    last_checked = %(now)s, status = COALESCE(NULLIF(status, 'pending'), 'failed')
WHERE id = %(id)s;

-- name: release_expired_leases
UPDATE news_links SET status = 'pending', lease = NULL, lease_until = NULL
WHERE status = 'processing' AND lease IS NOT NULL AND lease_until < %(now)s;

-- name: release_lease
UPDATE news_links
SET status = 'pending', lease = NULL, lease_until = NULL, attempts = greatest(attempts - 1, 0)
WHERE status = 'processing' AND lease = %(lease)s;

-- name: release_leases_of
UPDATE news_links
SET status = 'pending', lease = NULL, lease_until = NULL, attempts = greatest(attempts - 1, 0)
WHERE status = 'processing' AND starts_with(lease, %(holder)s || '/');

-- name: claim_links
WITH ready AS (
    SELECT d.domain, COALESCE(d.delay_ms, %(delay_ms)s) AS delay_ms,
        -- Until a site's own rules are known, one page of it at a time.
        CASE WHEN d.robots_until IS NULL THEN 1 ELSE %(per_domain)s END AS at_once, (
        SELECT count(*) FROM news_links p
        WHERE p.domain = d.domain AND p.status = 'processing' AND p.lease_until > %(now)s
    ) AS under_way
    FROM news_domains d
    WHERE d.next_request_at <= %(now)s
      AND EXISTS (
          SELECT FROM news_links l
          WHERE l.domain = d.domain AND l.status IN ('pending', 'blocked')
            AND COALESCE(l.next_attempt_at, CASE l.status WHEN 'pending' THEN %(now)s END) <= %(now)s
      )
    ORDER BY d.next_request_at
    LIMIT %(limit)s
    FOR UPDATE OF d SKIP LOCKED
), chosen AS (
    SELECT found.id, ready.domain, ready.delay_ms
    FROM ready
    CROSS JOIN LATERAL (
        SELECT l.id FROM news_links l
        WHERE l.domain = ready.domain AND l.status IN ('pending', 'blocked')
          AND COALESCE(l.next_attempt_at, CASE l.status WHEN 'pending' THEN %(now)s END) <= %(now)s
        ORDER BY l.discovered_at DESC, l.id DESC
        LIMIT least(
            CASE WHEN ready.delay_ms > 0 THEN 1 ELSE ready.at_once END,
            greatest(ready.at_once - ready.under_way, 0)
        )
        FOR UPDATE SKIP LOCKED
    ) found
    LIMIT %(limit)s
), paced AS (
    UPDATE news_domains d
    SET next_request_at = %(now)s + chosen.delay_ms * INTERVAL '1 millisecond', last_request_at = %(now)s
    FROM chosen WHERE d.domain = chosen.domain
)
UPDATE news_links l
SET status = 'processing', last_checked = %(now)s, attempts = l.attempts + 1, lease = %(lease)s,
    lease_until = %(until)s, next_attempt_at = NULL
FROM chosen
WHERE l.id = chosen.id
RETURNING l.id, l.url, l.url_hash, l.title, l.domain, l.source_task, l.attempts, l.published, l.etag, l.last_modified,
    (SELECT text_hash FROM processed_content c WHERE c.link_id = l.id) AS text_hash,
    (SELECT until FROM news_blocked_sites b WHERE b.domain = l.domain AND b.until > %(now)s) AS blocked_until,
    (SELECT reason FROM news_blocked_sites b WHERE b.domain = l.domain AND b.until > %(now)s) AS blocked_reason;

-- name: next_ready_at
SELECT min(d.next_request_at) FROM news_domains d
WHERE EXISTS (
    SELECT FROM news_links l
    WHERE l.domain = d.domain AND l.status IN ('pending', 'blocked')
      AND COALESCE(l.next_attempt_at, CASE l.status WHEN 'pending' THEN %(now)s END) <= %(until)s
);

-- name: lock_leased_links
SELECT id FROM news_links
WHERE id = ANY(%(ids)s) AND status = 'processing' AND lease = %(lease)s
ORDER BY id
FOR UPDATE;

-- name: update_links
UPDATE news_links l
SET status = given.status, cause = given.cause, error_message = given.reason, next_attempt_at = given.next_attempt_at,
    duplicate_of = given.duplicate_of, last_checked = %(now)s, lease = NULL, lease_until = NULL,
    attempts = CASE WHEN given.status = 'completed' THEN 0 ELSE greatest(attempts - given.unused, 0) END,
    etag = COALESCE(given.etag, l.etag), last_modified = COALESCE(given.last_modified, l.last_modified),
    processed_at = CASE WHEN given.status = 'pending' THEN processed_at ELSE %(now)s END
FROM json_to_recordset(%(ends)s::json) AS given (
    id int, status text, cause text, reason text, next_attempt_at timestamptz, duplicate_of int, etag text,
    last_modified text, unused int
)
WHERE l.id = given.id;

-- name: retry_links
UPDATE news_links
SET status = 'pending', attempts = 0, next_attempt_at = NULL, cause = NULL, error_message = NULL, duplicate_of = NULL
WHERE id = ANY(%(ids)s) AND status = ANY(%(from)s)
RETURNING id;

-- name: retry_links_by_status
UPDATE news_links
SET status = 'pending', attempts = 0, next_attempt_at = NULL, cause = NULL, error_message = NULL
WHERE status = %(status)s
  AND (%(cause)s::text IS NULL OR cause = %(cause)s)
  AND (%(domain)s::text IS NULL OR domain = %(domain)s);

-- name: find_link
SELECT id, url, url_hash, title, discovered_at, source_task, COALESCE(status, 'pending') AS status, error_message, processed_at, last_checked,
    created_at, canonical_url, domain, cause, attempts, next_attempt_at, duplicate_of, published
FROM news_links WHERE id = %(id)s;

-- name: find_link_by_hash
SELECT id, url, url_hash, title, discovered_at, source_task, COALESCE(status, 'pending') AS status, error_message, processed_at, last_checked,
    created_at, canonical_url, domain, cause, attempts, next_attempt_at, duplicate_of, published
FROM news_links
WHERE id = (
    SELECT known.id FROM (
        SELECT id, 0 AS place FROM news_links WHERE url_hash = ANY(%(hashes)s)
        UNION ALL
        SELECT link_id, 1 FROM news_aliases WHERE url_hash = ANY(%(hashes)s)
    ) AS known
    ORDER BY known.place, known.id
    LIMIT 1
);

-- name: list_links
SELECT id, url, url_hash, title, discovered_at, source_task, COALESCE(status, 'pending') AS status, error_message, processed_at, last_checked,
    created_at, canonical_url, domain, cause, attempts, next_attempt_at, duplicate_of, published
FROM news_links
WHERE (%(status)s::text IS NULL OR status = %(status)s)
  AND (%(task)s::text IS NULL OR source_task = %(task)s
       OR id IN (SELECT link_id FROM news_link_tasks JOIN query_tasks t ON t.id = task_id WHERE task_name = %(task)s))
  AND (%(domain)s::text IS NULL OR domain = %(domain)s)
  AND (%(before)s::int IS NULL OR id < %(before)s)
ORDER BY id DESC
LIMIT %(limit)s;

-- name: list_link_tasks
SELECT t.task_name FROM news_link_tasks lt JOIN query_tasks t ON t.id = lt.task_id
WHERE lt.link_id = %(id)s ORDER BY t.task_name;

-- name: list_link_aliases
SELECT url FROM news_aliases WHERE link_id = %(id)s ORDER BY url;

-- name: add_alias
INSERT INTO news_aliases (url_hash, url, link_id) VALUES (%(hash)s, %(url)s, %(link_id)s) ON CONFLICT DO NOTHING;

-- name: lock_deduplication
SELECT pg_advisory_xact_lock(hashtext('almanac.news.settling'));

-- name: ensure_domains
INSERT INTO news_domains (domain, next_request_at)
SELECT DISTINCT domain, %(now)s::timestamp FROM unnest(%(domains)s::text[]) AS given (domain) WHERE domain <> ''
ON CONFLICT DO NOTHING;

-- name: find_domain
SELECT domain, next_request_at, delay_ms, robots, robots_until, requests, succeeded, failed, refused,
    failures_in_a_row, refusals_in_a_row, last_status, last_problem, last_success_at, last_request_at
FROM news_domains WHERE domain = %(domain)s;

-- name: list_domains
SELECT d.domain, d.next_request_at, d.delay_ms, d.robots, d.robots_until, d.requests, d.succeeded, d.failed, d.refused,
    d.failures_in_a_row, d.refusals_in_a_row, d.last_status, d.last_problem, d.last_success_at, d.last_request_at,
    -- What is blocked for good waits for nothing; what was put off, or blocked for a while, does.
    (SELECT count(*) FROM news_links l
     WHERE l.domain = d.domain AND (l.status = 'pending' OR l.status = 'blocked' AND l.next_attempt_at IS NOT NULL)
    ) AS waiting,
    b.until AS blocked_until
FROM news_domains d
LEFT JOIN news_blocked_sites b ON b.domain = d.domain AND b.until > %(now)s
WHERE (%(after)s::text IS NULL OR d.domain > %(after)s)
ORDER BY d.domain
LIMIT %(limit)s;

-- name: save_robots
INSERT INTO news_domains (domain, next_request_at, robots, robots_until, delay_ms)
VALUES (%(domain)s, %(now)s, %(robots)s, %(until)s, %(delay_ms)s)
ON CONFLICT (domain) DO UPDATE
SET robots = excluded.robots, robots_until = excluded.robots_until, delay_ms = excluded.delay_ms;

-- name: record_answers
WITH given AS (
    SELECT * FROM json_to_recordset(%(answers)s::json) AS given (domain text, answers int, status int)
), over AS (
    -- What a person blocked stays blocked until its end, whatever was under way when he did.
    DELETE FROM blacklisted_sites b USING given, news_blocked_sites s
    WHERE b.domain = given.domain AND s.domain = b.domain AND (b.cause = 'refused' OR s.until <= %(now)s)
)
UPDATE news_domains d
SET requests = requests + given.answers, succeeded = succeeded + given.answers, failures_in_a_row = 0,
    refusals_in_a_row = 0, last_status = given.status, last_problem = NULL, last_success_at = %(now)s
FROM given
WHERE d.domain = given.domain;

-- name: record_failure
UPDATE news_domains
SET requests = requests + 1, failed = failed + 1, failures_in_a_row = failures_in_a_row + 1,
    last_status = %(status)s, last_problem = %(reason)s
WHERE domain = %(domain)s
RETURNING failures_in_a_row;

-- name: record_refusal
UPDATE news_domains
SET requests = requests + 1, refused = refused + 1, refusals_in_a_row = refusals_in_a_row + 1,
    last_status = %(status)s, last_problem = %(reason)s
WHERE domain = %(domain)s
RETURNING refusals_in_a_row, last_success_at;

-- name: pause_domain
UPDATE news_domains SET next_request_at = greatest(next_request_at, %(until)s) WHERE domain = %(domain)s;

-- name: resume_domain
UPDATE news_domains SET next_request_at = least(next_request_at, %(now)s), failures_in_a_row = 0, refusals_in_a_row = 0
WHERE domain = %(domain)s;

-- name: reserve_request_slot
UPDATE news_domains
SET next_request_at = greatest(next_request_at, %(now)s) + COALESCE(delay_ms, %(delay_ms)s) * INTERVAL '1 millisecond',
    last_request_at = %(now)s
WHERE domain = %(domain)s
RETURNING greatest(next_request_at - COALESCE(delay_ms, %(delay_ms)s) * INTERVAL '1 millisecond', %(now)s) AS turn;

-- name: find_block
SELECT domain, url, title, reason, cause, evidence, strikes, is_allowed, created_at, updated_at,
    CASE WHEN expires_at > TIMESTAMP '9999-01-01' THEN TIMESTAMP '9999-01-01' ELSE expires_at END AS expires_at
FROM blacklisted_sites WHERE domain = %(domain)s FOR UPDATE;

-- name: upsert_block
INSERT INTO blacklisted_sites (
    domain, url, title, reason, cause, evidence, expires_at, strikes, is_allowed, created_at, updated_at
)
VALUES (
    %(domain)s, %(url)s, %(title)s, %(reason)s, %(cause)s, %(evidence)s, %(expires_at)s, %(strikes)s, %(is_allowed)s,
    %(now)s, %(now)s
)
ON CONFLICT (domain) DO UPDATE
SET url = excluded.url, title = excluded.title, reason = excluded.reason, cause = excluded.cause,
    evidence = excluded.evidence, expires_at = excluded.expires_at, strikes = excluded.strikes,
    is_allowed = excluded.is_allowed, updated_at = excluded.updated_at;

-- name: delete_block
DELETE FROM blacklisted_sites WHERE domain = %(domain)s;

-- name: list_blocks
SELECT domain, url, title, reason, cause, evidence, strikes, is_allowed, created_at, updated_at,
    CASE WHEN expires_at > TIMESTAMP '9999-01-01' THEN TIMESTAMP '9999-01-01' ELSE expires_at END AS expires_at
FROM blacklisted_sites
WHERE (%(after)s::text IS NULL OR domain > %(after)s)
ORDER BY domain
LIMIT %(limit)s;

-- name: find_active_block
SELECT until, reason FROM news_blocked_sites WHERE domain = %(domain)s AND until > %(now)s;

-- name: block_waiting_links
UPDATE news_links
SET status = 'blocked', cause = 'blacklist', error_message = %(reason)s, next_attempt_at = %(until)s,
    processed_at = %(now)s
WHERE domain = %(domain)s AND (status = 'pending' OR (status = 'blocked' AND cause = 'blacklist'));

-- name: release_blocked_links
UPDATE news_links
SET status = 'pending', cause = NULL, error_message = NULL, next_attempt_at = NULL, attempts = 0
WHERE domain = %(domain)s AND status = 'blocked' AND cause IN ('blacklist', 'refused');

-- name: upsert_articles
INSERT INTO processed_content (
    link_id, title, title_en, title_zh, title_ms, content, translated_content, tags, country, news_date, metadata,
    article, language, text_hash, cluster, signature, bands, created_at, updated_at
)
SELECT link_id, title, title_en, title_zh, title_ms, content, translated_content, tags, country, news_date, metadata,
    article, language, text_hash, cluster, decode(signature, 'hex'), bands, %(now)s, %(now)s
FROM json_to_recordset(%(articles)s::json) AS given (
    link_id int, title text, title_en text, title_zh text, title_ms text, content text, translated_content text,
    tags text[], country text, news_date date, metadata jsonb, article text, language text, text_hash text, cluster int,
    signature text, bands bigint[]
)
ON CONFLICT (link_id) DO UPDATE
SET title = excluded.title, title_en = excluded.title_en, title_zh = excluded.title_zh, title_ms = excluded.title_ms,
    content = excluded.content, translated_content = excluded.translated_content, tags = excluded.tags,
    country = excluded.country, news_date = excluded.news_date, metadata = excluded.metadata,
    article = excluded.article, language = excluded.language, text_hash = excluded.text_hash,
    cluster = excluded.cluster, signature = excluded.signature, bands = excluded.bands,
    updated_at = excluded.updated_at;

-- name: rewrite_article
UPDATE processed_content
SET title_en = %(title_en)s, title_zh = %(title_zh)s, title_ms = %(title_ms)s, content = %(content)s,
    translated_content = %(translated_content)s, metadata = metadata || %(metadata)s::jsonb, updated_at = %(now)s
WHERE link_id = %(link_id)s AND text_hash = %(text_hash)s;

-- name: find_similar_articles
SELECT given.link_id AS of_link, alike.cluster, alike.signature
FROM json_to_recordset(%(sought)s::json) AS given (link_id int, bands bigint[])
CROSS JOIN LATERAL (
    SELECT COALESCE(c.cluster, c.link_id) AS cluster, c.signature FROM processed_content c
    WHERE c.bands && given.bands AND c.link_id <> ALL(%(besides)s) AND c.signature IS NOT NULL
      AND c.created_at > %(since)s
    ORDER BY c.link_id
    LIMIT 50
) alike;

-- name: find_article
SELECT l.id, l.url, l.domain, l.source_task, l.title AS link_title, l.discovered_at, l.processed_at,
    c.title, c.title_en, c.title_zh, c.title_ms, c.content, c.translated_content, c.tags, c.country, c.news_date,
    c.metadata, c.article, c.language, c.cluster
FROM news_links l JOIN processed_content c ON c.link_id = l.id
WHERE l.id = %(id)s AND l.status NOT IN ('failed', 'duplicate');

-- name: list_articles
SELECT l.id, l.url, l.domain, l.source_task, l.title AS link_title, l.discovered_at, l.processed_at,
    c.title, c.title_en, c.title_zh, c.title_ms, c.content, c.translated_content, c.tags, c.country, c.news_date,
    c.metadata, c.article, c.language, c.cluster
FROM news_links l JOIN processed_content c ON c.link_id = l.id
WHERE l.id = ANY(%(ids)s) AND l.status NOT IN ('failed', 'duplicate');

-- name: list_stories_after
SELECT l.id, l.url, l.domain, l.source_task, l.title AS link_title, l.discovered_at, l.processed_at,
    c.title, c.title_en, c.title_zh, c.title_ms, c.content, c.translated_content, c.tags, c.country, c.news_date,
    c.metadata, c.article, c.language, c.cluster
FROM news_links l JOIN processed_content c ON c.link_id = l.id
WHERE l.status NOT IN ('failed', 'duplicate') AND COALESCE(c.cluster, l.id) = l.id AND l.id > %(after)s
ORDER BY l.id
LIMIT %(limit)s;

-- name: count_stories
SELECT count(*) FROM news_links l JOIN processed_content c ON c.link_id = l.id
WHERE l.status NOT IN ('failed', 'duplicate') AND COALESCE(c.cluster, l.id) = l.id;

-- name: list_story_sources
SELECT l.id AS link_id, l.url, COALESCE(l.domain, '') AS domain, COALESCE(c.title, l.title, l.url) AS title, c.news_date,
    l.discovered_at, c.cluster
FROM processed_content c JOIN news_links l ON l.id = c.link_id
WHERE c.cluster = ANY(%(clusters)s) AND l.status NOT IN ('failed', 'duplicate')
ORDER BY c.news_date NULLS LAST, l.id;

-- name: adopt_articles
UPDATE processed_content SET cluster = link_id
WHERE id IN (
    SELECT id FROM processed_content WHERE cluster IS NULL AND link_id IS NOT NULL ORDER BY id LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED
)
RETURNING link_id;

-- name: count_tags
SELECT tag, count(*) AS articles FROM processed_content, unnest(tags) AS tag
WHERE btrim(tag) <> '' GROUP BY tag ORDER BY articles DESC, tag;

-- name: list_tasks
SELECT id, task_name, prompt_template, COALESCE(is_active, false) AS is_active, schedule, time_zone, last_run, next_run,
    COALESCE(total_runs, 0) AS total_runs, COALESCE(total_links_found, 0) AS total_links_found, created_at, updated_at,
    version
FROM query_tasks ORDER BY task_name;

-- name: find_task
SELECT id, task_name, prompt_template, COALESCE(is_active, false) AS is_active, schedule, time_zone, last_run, next_run,
    COALESCE(total_runs, 0) AS total_runs, COALESCE(total_links_found, 0) AS total_links_found, created_at, updated_at,
    version
FROM query_tasks WHERE task_name = %(name)s;

-- name: find_task_by_id
SELECT id, task_name, prompt_template, COALESCE(is_active, false) AS is_active, schedule, time_zone, last_run, next_run,
    COALESCE(total_runs, 0) AS total_runs, COALESCE(total_links_found, 0) AS total_links_found, created_at, updated_at,
    version
FROM query_tasks WHERE id = %(id)s;

-- name: list_unplanned_tasks
SELECT id, schedule, time_zone FROM query_tasks
WHERE is_active AND COALESCE(schedule, '') <> '' AND next_run IS NULL
ORDER BY id LIMIT 200
FOR UPDATE SKIP LOCKED;

-- name: list_due_tasks
SELECT id, schedule, time_zone, next_run FROM query_tasks
WHERE is_active AND next_run <= %(now)s ORDER BY next_run LIMIT %(limit)s
FOR UPDATE SKIP LOCKED;

-- name: set_next_run
UPDATE query_tasks SET next_run = %(next_run)s WHERE id = %(id)s;

-- name: pause_task
UPDATE query_tasks SET next_run = NULL, is_active = false, updated_at = %(now)s WHERE id = %(id)s;

-- name: add_task
INSERT INTO query_tasks (
    task_name, prompt_template, is_active, schedule, time_zone, next_run, created_at, updated_at
)
VALUES (
    %(task_name)s, %(prompt_template)s, %(is_active)s, %(schedule)s, %(time_zone)s, %(next_run)s, %(now)s, %(now)s
)
RETURNING id;

-- name: edit_task
UPDATE query_tasks
SET task_name = %(task_name)s, prompt_template = %(prompt_template)s, is_active = %(is_active)s,
    schedule = %(schedule)s, time_zone = %(time_zone)s, next_run = %(next_run)s, updated_at = %(now)s,
    version = version + 1
WHERE id = %(id)s AND version = %(expected)s;

-- name: rename_task_in_links
UPDATE news_links SET source_task = %(new)s WHERE source_task = %(old)s;

-- name: delete_task
DELETE FROM query_tasks WHERE task_name = %(name)s;

-- name: list_sources
SELECT id, task_id, kind, address, title, etag, last_modified, last_fetched, last_error, failures
FROM news_sources WHERE task_id = ANY(%(tasks)s) ORDER BY task_id, id;

-- name: add_source
INSERT INTO news_sources (task_id, kind, address, title) VALUES (%(task_id)s, %(kind)s, %(address)s, %(title)s)
ON CONFLICT (task_id, kind, address) DO UPDATE SET title = COALESCE(NULLIF(excluded.title, ''), news_sources.title);

-- name: delete_other_sources
DELETE FROM news_sources
WHERE task_id = %(task_id)s
  AND NOT EXISTS (
      SELECT FROM unnest(%(kinds)s::text[], %(addresses)s::text[]) AS kept (kind, address)
      WHERE kept.kind = news_sources.kind AND kept.address = news_sources.address
  );

-- name: record_source_result
UPDATE news_sources
SET last_fetched = %(now)s, etag = COALESCE(%(etag)s, etag), last_modified = COALESCE(%(last_modified)s, last_modified),
    last_error = %(error)s::text, failures = CASE WHEN %(error)s::text IS NULL THEN 0 ELSE failures + 1 END,
    title = COALESCE(NULLIF(title, ''), %(title)s)
WHERE id = %(id)s;

-- name: start_run
INSERT INTO news_runs (task_id, trigger, job_id, started_at)
VALUES (%(task_id)s, %(trigger)s, %(job_id)s, %(now)s)
ON CONFLICT (job_id) DO UPDATE SET started_at = news_runs.started_at
RETURNING id, status;

-- name: add_run_counts
UPDATE news_runs
SET found = found + %(found)s, added = added + %(added)s, duplicate = duplicate + %(duplicate)s,
    blocked = blocked + %(blocked)s, refused = refused + %(refused)s
WHERE id = %(id)s;

-- name: finish_run
UPDATE news_runs SET finished_at = %(now)s, status = %(status)s, problems = %(problems)s
WHERE id = %(id)s AND status = 'running';

-- name: add_run_to_task
UPDATE query_tasks
SET last_run = %(now)s, total_runs = COALESCE(total_runs, 0) + 1,
    total_links_found = COALESCE(total_links_found, 0) + %(credited)s
WHERE id = %(id)s;

-- name: count_credited_links
SELECT count(*) FROM news_link_tasks WHERE run_id = %(id)s;

-- name: list_runs
SELECT id, task_id, trigger, job_id, started_at, finished_at, status, found, added, duplicate, blocked, refused, problems
FROM news_runs
WHERE task_id = %(task_id)s AND (%(before)s::int IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(limit)s;

-- name: find_run
SELECT id, task_id, trigger, job_id, started_at, finished_at, status, found, added, duplicate, blocked, refused, problems
FROM news_runs WHERE id = %(id)s;

-- name: get_scorecard
SELECT
    (SELECT COALESCE(sum(found), 0) FROM news_runs WHERE task_id = %(task_id)s) AS found,
    (SELECT COALESCE(sum(added), 0) FROM news_runs WHERE task_id = %(task_id)s) AS added,
    (SELECT COALESCE(sum(duplicate), 0) FROM news_runs WHERE task_id = %(task_id)s) AS duplicate,
    count(*) FILTER (WHERE l.status = 'blocked') AS blocked,
    count(*) FILTER (WHERE l.status = 'failed') AS failed,
    count(*) FILTER (WHERE l.status = 'completed') AS completed,
    count(*) FILTER (WHERE l.status IN ('pending', 'processing')) AS waiting,
    -- Other programs may keep anything under this name.
    COALESCE(sum(CASE jsonb_typeof(c.metadata -> 'cost') WHEN 'number' THEN (c.metadata ->> 'cost')::float END), 0) AS cost
FROM news_link_tasks lt
JOIN news_links l ON l.id = lt.link_id
LEFT JOIN processed_content c ON c.link_id = l.id
WHERE lt.task_id = %(task_id)s;

-- name: count_links_by_day
SELECT lt.found_at::date AS day, count(*) AS found,
    count(*) FILTER (WHERE l.status = 'completed') AS completed,
    count(*) FILTER (WHERE l.status = 'failed') AS failed,
    count(*) FILTER (WHERE l.status = 'blocked') AS blocked,
    count(*) FILTER (WHERE l.status = 'duplicate') AS duplicate
FROM news_link_tasks lt JOIN news_links l ON l.id = lt.link_id
WHERE lt.task_id = %(task_id)s AND lt.found_at >= %(since)s
GROUP BY 1 ORDER BY 1;

-- name: save_preview
INSERT INTO news_previews (job_id, found, created_at) VALUES (%(job_id)s, %(found)s, %(now)s)
ON CONFLICT (job_id) DO UPDATE SET found = excluded.found, created_at = excluded.created_at;

-- name: find_preview
SELECT found FROM news_previews WHERE job_id = %(job_id)s;

-- name: delete_previews_before
DELETE FROM news_previews WHERE created_at < %(before)s;

-- name: list_rules
SELECT id, name, action, query, tag, is_active, version FROM news_rules ORDER BY name;

-- name: find_rule
SELECT id, name, action, query, tag, is_active, version FROM news_rules WHERE id = %(id)s;

-- name: add_rule
INSERT INTO news_rules (name, action, query, tag, is_active, created_at)
VALUES (%(name)s, %(action)s, %(query)s, %(tag)s, %(is_active)s, %(now)s) RETURNING id;

-- name: edit_rule
UPDATE news_rules
SET name = %(name)s, action = %(action)s, query = %(query)s, tag = %(tag)s, is_active = %(is_active)s,
    version = version + 1
WHERE id = %(id)s AND version = %(expected)s;

-- name: delete_rule
DELETE FROM news_rules WHERE id = %(id)s;

-- name: add_finished_link
INSERT INTO news_links (
    url, url_hash, title, discovered_at, source_task, status, cause, error_message, processed_at, last_checked,
    created_at, canonical_url, domain, published, attempts
)
VALUES (
    %(url)s, %(url_hash)s, %(title)s, %(now)s, %(task)s, %(status)s, %(cause)s, %(reason)s, %(now)s, %(now)s, %(now)s,
    %(canonical_url)s, %(domain)s, %(published)s, %(attempts)s
)
ON CONFLICT (url_hash) DO UPDATE SET url_hash = excluded.url_hash
RETURNING id;

-- name: delete_links
DELETE FROM news_links WHERE id = ANY(%(ids)s);

-- name: delete_unused_domains
DELETE FROM news_domains d
WHERE domain = ANY(%(domains)s) AND NOT EXISTS (SELECT FROM news_links l WHERE l.domain = d.domain);

-- name: read_day
-- The stories of one day or the latest up to it, with how many sources tell each, and beside each of them the same figures:
-- whether links wait to be read, the failed link that has waited longest with how many there are, and what tasks collected
-- in a span of time. Without any story there is one row. Counting stops at a number, so that it costs the same however
-- many there are.
WITH failed AS MATERIALIZED (
    SELECT id, COALESCE(title, url) AS title, processed_at AS at, error_message AS reason FROM news_links
    WHERE status = 'failed' LIMIT %(failed)s
), stories AS MATERIALIZED (
    SELECT c.link_id AS id, COALESCE(c.title, l.title, l.url) AS title, c.title_en, c.title_zh, c.title_ms,
        c.translated_content, c.language, c.news_date,
        (SELECT count(*) FROM processed_content s WHERE s.cluster = c.link_id) AS sources
    FROM processed_content c JOIN news_links l ON l.id = c.link_id
    WHERE c.news_date >= %(first)s AND c.news_date <= %(last)s AND COALESCE(c.cluster, c.link_id) = c.link_id
        AND l.status NOT IN ('failed', 'duplicate')
    ORDER BY c.news_date DESC, c.link_id DESC LIMIT %(limit)s
)
SELECT stories.*,
    EXISTS (SELECT FROM news_links WHERE status = 'pending') AS has_unread,
    oldest.id AS failed_id, oldest.title AS failed_title, oldest.at AS failed_at, oldest.reason AS failed_reason,
    (SELECT count(*) FROM failed) AS failed_count,
    runs.added, runs.last_at
FROM (
    SELECT COALESCE(sum(added), 0)::bigint AS added, max(COALESCE(finished_at, started_at)) AS last_at FROM news_runs
    WHERE started_at >= %(since)s AND started_at < %(until)s
) AS runs
LEFT JOIN (SELECT id, title, at, reason FROM failed ORDER BY at NULLS FIRST, id LIMIT 1) AS oldest ON true
LEFT JOIN stories ON true
ORDER BY stories.news_date DESC, stories.id DESC;

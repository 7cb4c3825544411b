-- name: list_latest_cards
-- The cards of the newest articles below a place.
SELECT article.place, listed.card
FROM recap_articles AS article JOIN recap_cards AS listed USING (number)
WHERE article.place < %(below)s
ORDER BY article.place DESC LIMIT %(limit)s;

-- name: count_pages
-- How many pages search engines may know: articles, people and bills.
SELECT (SELECT count(*) FROM recap_articles)
    + (SELECT count(*) FROM recap_values WHERE facet IN ('person', 'bill') AND articles > 0);

-- name: list_pages
-- Those pages: articles in the order in which they were first published, then people and bills as they first appeared.
SELECT kind, name, changed_at FROM (
    SELECT 'articles' AS kind, id AS name, changed_at, 0 AS part, number AS place FROM recap_articles
    UNION ALL
    SELECT CASE facet WHEN 'person' THEN 'people' ELSE 'bills' END, spellings[1], NULL, 1, id
    FROM recap_values WHERE facet IN ('person', 'bill') AND articles > 0
) AS listed ORDER BY part, place OFFSET %(offset)s LIMIT %(limit)s;

-- name: list_bulk_files
-- Files of whole sessions, the latest session first.
SELECT name, session, content, key, lines, size, digest, made_at FROM recap_bulk_files
ORDER BY session DESC, name;

-- name: get_bulk_file
-- One of them.
SELECT name, session, content, key, lines, size, digest, made_at FROM recap_bulk_files WHERE name = %(name)s;

-- name: list_origins
-- The hosts that publish the records of all sessions.
SELECT DISTINCT unnest(origins) AS host FROM recap_bulk_sessions ORDER BY host;

-- name: sum_figures
-- What was counted in all articles, and how many error reports are open.
SELECT coalesce(sum(articles), 0)::integer AS articles, coalesce(sum(speeches), 0)::integer AS speeches,
    coalesce(sum(decisions), 0)::integer AS decisions, coalesce(sum(unbound), 0)::integer AS unbound,
    coalesce(sum(corrections), 0)::integer AS corrections,
    coalesce((SELECT count FROM recap_open_reports), 0) AS open_reports,
    (SELECT counted_at FROM recap_open_reports) AS counted_at
FROM recap_bulk_sessions;

-- name: find_asked_alert
-- What an address was asked to confirm, if that can still be done or was done.
SELECT label, confirmed_at IS NOT NULL AS is_confirmed FROM subscriptions
WHERE id = %(id)s AND (confirmed_at IS NOT NULL OR requested_at > %(since)s);

-- name: find_reader
-- Whose list a link opens.
SELECT id, email, language, frequency FROM subscribers WHERE id = %(id)s AND generation = %(generation)s;

-- name: list_reader_alerts
-- What somebody follows by mail.
SELECT id, kind, target, label FROM subscriptions WHERE subscriber_id = %(id)s AND confirmed_at IS NOT NULL ORDER BY id;

-- name: list_latest_cards
-- The cards of the newest articles below a place.
SELECT article.place, listed.card
FROM recap_articles AS article JOIN recap_cards AS listed USING (number)
WHERE article.place < %(below)s
ORDER BY article.place DESC LIMIT %(limit)s;

-- name: count_published
-- How many articles are published.
SELECT count(*) FROM recap_articles;

-- name: list_changes
-- Articles and when they last changed, in the order in which they were first published.
SELECT id, changed_at FROM recap_articles ORDER BY number OFFSET %(offset)s LIMIT %(limit)s;

-- name: list_issues
-- The issues in the archive, newest first, after a place in that order.
SELECT code, title, summary, language, day, changed_at FROM newsletter_archive
WHERE withdrawn_at IS NULL
    AND (%(after_day)s::date IS NULL OR (day, code) < (%(after_day)s::date, %(after_code)s::text))
ORDER BY day DESC, code DESC LIMIT %(limit)s;

-- name: get_issue
-- One issue with its text; withdrawn ones too, to say so.
SELECT code, title, summary, language, day, changed_at, published_at, edition, body, withdrawn_at IS NOT NULL AS withdrawn
FROM newsletter_archive WHERE code = %(code)s;

-- name: count_issues
-- How many issues the archive has.
SELECT count(*) FROM newsletter_archive WHERE withdrawn_at IS NULL;

-- name: list_issue_changes
-- Issues and when they last changed, the oldest first.
SELECT code, changed_at FROM newsletter_archive
WHERE withdrawn_at IS NULL ORDER BY published_at, code OFFSET %(offset)s LIMIT %(limit)s;

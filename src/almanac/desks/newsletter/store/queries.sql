-- name: publish_issue
-- Put an issue into the archive as it is now, or replace what the archive shows of it.
INSERT INTO newsletter_archive AS archived
    (code, title, summary, language, day, body, published_at, changed_at, published_by)
VALUES (%(code)s, %(title)s, %(summary)s, %(language)s, %(day)s, %(body)s, %(now)s, %(now)s, %(by)s)
ON CONFLICT (code) DO UPDATE
SET title = excluded.title, summary = excluded.summary, language = excluded.language, day = excluded.day,
    body = excluded.body, edition = archived.edition + 1, changed_at = excluded.changed_at,
    published_by = excluded.published_by, withdrawn_at = NULL;

-- name: withdraw_issue
-- Take an issue out of the archive. Its text is erased; that it was there is kept, so that its address says so.
UPDATE newsletter_archive SET withdrawn_at = %(now)s, changed_at = %(now)s, body = '', summary = ''
WHERE code = %(code)s AND withdrawn_at IS NULL;

-- name: get_archived_issue
-- What the archive shows of an issue.
SELECT title, body, published_at, changed_at FROM newsletter_archive
WHERE code = %(code)s AND withdrawn_at IS NULL;

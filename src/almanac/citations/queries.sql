-- name: delete_citations
-- Delete what a document cites.
DELETE FROM citations WHERE code = %(code)s

-- name: insert_citation
-- A document cites a passage.
INSERT INTO citations (code, passage, desk, item, part, title, path, owner_id, quote, cited_at)
VALUES (%(code)s, %(passage)s, %(desk)s, %(item)s, %(part)s, %(title)s, %(path)s, %(owner_id)s, %(quote)s, %(now)s)

-- name: list_item_citations
-- Who cites passages of an item, the latest first; of one owner or of all.
SELECT code, title, path, owner_id, passage, part, quote, cited_at FROM citations
WHERE desk = %(desk)s AND item = %(item)s AND (%(owner_id)s::text IS NULL OR owner_id = %(owner_id)s)
ORDER BY cited_at DESC, code, passage LIMIT %(limit)s

-- name: hand_over_citations
-- The documents of one person are another's now.
UPDATE citations SET owner_id = %(to_id)s WHERE owner_id = %(from_id)s

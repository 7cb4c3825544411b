-- name: lock_document
-- Serialize the verdicts on one document until the end of the transaction.
SELECT pg_advisory_xact_lock(hashtextextended('sentence_verdicts:' || %(desk)s || ':' || %(document)s, 0))

-- name: insert_verdict
-- A person checked a sentence; no row if that is stored already.
INSERT INTO sentence_verdicts (desk, document, sentence, user_id, name, checked_at)
VALUES (%(desk)s, %(document)s, %(sentence)s, %(user_id)s, %(name)s, %(now)s)
ON CONFLICT (desk, document, sentence, user_id) DO NOTHING

-- name: delete_verdict
-- Take back what one person, or everybody, said about a sentence.
DELETE FROM sentence_verdicts
WHERE desk = %(desk)s AND document = %(document)s AND sentence = %(sentence)s
  AND (%(user_id)s::text IS NULL OR user_id = %(user_id)s)

-- name: list_verdicts
-- Every verdict on a document, also on sentences that it no longer has, the earliest first.
SELECT sentence, user_id, name, checked_at AS at FROM sentence_verdicts
WHERE desk = %(desk)s AND document = %(document)s
ORDER BY checked_at, user_id

-- name: delete_document_verdicts
-- Delete the verdicts on a document that is deleted.
DELETE FROM sentence_verdicts WHERE desk = %(desk)s AND document = %(document)s

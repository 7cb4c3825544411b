-- name: lock_subject
-- Let one transaction at a time ask or decide about a subject, also before there is any row to lock.
SELECT pg_advisory_xact_lock(hashtextextended('approval ' || %(kind)s || ' ' || %(subject_id)s, 0))

-- name: find_current
-- The approval of a subject that is in force.
SELECT id, kind, subject_id, content_hash, state, title, link, authors, asked_by, asked_by_name, asked_at, decided_by,
       decided_by_name, decided_at, note, ended_at, ended_why
FROM approvals WHERE kind = %(kind)s AND subject_id = %(subject_id)s AND in_force

-- name: find_approval
-- One approval by id, in force or not.
SELECT id, kind, subject_id, content_hash, state, title, link, authors, asked_by, asked_by_name, asked_at, decided_by,
       decided_by_name, decided_at, note, ended_at, ended_why
FROM approvals WHERE id = %(id)s

-- name: retire_current
-- Make room for a new question; what was asked before stays as history.
UPDATE approvals SET in_force = false WHERE kind = %(kind)s AND subject_id = %(subject_id)s AND in_force

-- name: add_approval
-- A new question.
INSERT INTO approvals (id, kind, subject_id, content_hash, state, title, link, authors, asked_by, asked_by_name, asked_at)
VALUES (%(id)s, %(kind)s, %(subject_id)s, %(content_hash)s, %(state)s, %(title)s, %(link)s, %(authors)s, %(asked_by)s,
        %(asked_by_name)s, %(asked_at)s)

-- name: save_approval
-- What became of a question.
UPDATE approvals
SET state = %(state)s, decided_by = %(decided_by)s, decided_by_name = %(decided_by_name)s, decided_at = %(decided_at)s,
    note = %(note)s, ended_at = %(ended_at)s, ended_why = %(ended_why)s
WHERE id = %(id)s

-- name: list_waiting
-- What waits at some desks, longest-waiting first, but for what somebody had a hand in.
SELECT id, kind, subject_id, content_hash, state, title, link, authors, asked_by, asked_by_name, asked_at, decided_by,
       decided_by_name, decided_at, note, ended_at, ended_why
FROM approvals
WHERE in_force AND state = 'waiting' AND split_part(kind, '.', 1) = ANY(%(desks)s)
  AND (%(not_of)s::text IS NULL OR NOT %(not_of)s = ANY(authors))
  AND (%(after)s::text IS NULL OR id > %(after)s)
ORDER BY id
LIMIT %(limit)s

-- name: count_waiting
-- How much waits at some desks, but for what somebody had a hand in.
SELECT count(*) FROM approvals
WHERE in_force AND state = 'waiting' AND split_part(kind, '.', 1) = ANY(%(desks)s)
  AND (%(not_of)s::text IS NULL OR NOT %(not_of)s = ANY(authors))

-- name: list_history
-- Every question about a subject, newest first.
SELECT id, kind, subject_id, content_hash, state, title, link, authors, asked_by, asked_by_name, asked_at, decided_by,
       decided_by_name, decided_at, note, ended_at, ended_why
FROM approvals WHERE kind = %(kind)s AND subject_id = %(subject_id)s ORDER BY id DESC

-- name: list_steps
-- The steps that somebody has finished or skipped.
SELECT step, state FROM setup_steps;

-- name: save_step
-- A step is done or skipped; what was said of it before is replaced.
INSERT INTO setup_steps (step, state, changed_by, changed_at) VALUES (%(step)s, %(state)s, %(by)s, %(now)s)
ON CONFLICT (step) DO UPDATE SET state = excluded.state, changed_by = excluded.changed_by,
    changed_at = excluded.changed_at;

-- name: reopen_step
-- Nothing is said of a step any more.
DELETE FROM setup_steps WHERE step = %(step)s;

-- name: nth_last_trial
-- When the trial of a kind was made that has so many later ones; of all trials, or of messages that a server took.
SELECT tried_at FROM setup_trials
WHERE kind = %(kind)s AND tried_at > %(since)s AND (is_delivered OR NOT %(only_delivered)s)
ORDER BY tried_at DESC OFFSET %(later)s LIMIT 1;

-- name: insert_trial
-- A trial of mail, with the hash of its code, or of a model.
INSERT INTO setup_trials (id, kind, tried_by, tried_at, address, code_hash)
VALUES (%(id)s, %(kind)s, %(by)s, %(now)s, %(address)s, %(code_hash)s);

-- name: last_mail_trial
-- The latest test message that a mail server took, locked so that guesses at its code are counted one by one.
SELECT id, address, code_hash, guesses, outcome, tried_at FROM setup_trials
WHERE kind = 'mail' AND is_delivered ORDER BY tried_at DESC, id DESC LIMIT 1 FOR UPDATE;

-- name: last_failure
-- Why the latest test message wasn't sent; nothing if it was.
SELECT failure FROM setup_trials WHERE kind = 'mail' AND tried_at > %(since)s ORDER BY tried_at DESC, id DESC LIMIT 1;

-- name: end_mail_trial
-- A mail server took the test message, or it wasn't sent.
UPDATE setup_trials SET is_delivered = %(is_delivered)s, failure = %(failure)s WHERE id = %(id)s;

-- name: update_trial
-- One more guess at the code, or what became of the test message.
UPDATE setup_trials SET guesses = %(guesses)s, outcome = %(outcome)s WHERE id = %(id)s;

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

-- name: count_trials
-- How many trials of a kind were made since a moment.
SELECT count(*) FROM setup_trials WHERE kind = %(kind)s AND tried_at > %(since)s;

-- name: insert_trial
-- A trial of mail, with the hash of its code, or of a model.
INSERT INTO setup_trials (id, kind, tried_by, tried_at, address, code_hash)
VALUES (%(id)s, %(kind)s, %(by)s, %(now)s, %(address)s, %(code_hash)s);

-- name: last_mail_trial
-- The latest test message, locked so that guesses at its code are counted one by one.
SELECT id, address, code_hash, guesses, outcome, tried_at FROM setup_trials
WHERE kind = 'mail' ORDER BY tried_at DESC, id DESC LIMIT 1 FOR UPDATE;

-- name: update_trial
-- One more guess at the code, or what became of the test message.
UPDATE setup_trials SET guesses = %(guesses)s, outcome = %(outcome)s WHERE id = %(id)s;

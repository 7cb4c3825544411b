-- name: find_answer
-- The answer to a question that was asked before, and note that it is still of use.
UPDATE llm_answers SET used_at = %(now)s
WHERE key = %(key)s AND output IS NOT NULL
RETURNING output, made_at;

-- name: find_answers
-- The answers to several questions that were asked before. That they are still of use is noted once a day: pages read them.
WITH noted AS (
    UPDATE llm_answers SET used_at = %(now)s
    WHERE key = ANY(%(keys)s::text[]) AND output IS NOT NULL AND used_at < %(stale)s
)
SELECT key, output FROM llm_answers WHERE key = ANY(%(keys)s::text[]) AND output IS NOT NULL;

-- name: save_answers
-- Keep the answers to several questions that were asked as one.
INSERT INTO llm_answers (key, model, step, output, claimed_until, made_at, used_at)
SELECT given.key, %(model)s, %(step)s, given.output, %(now)s, %(now)s, %(now)s
FROM unnest(%(keys)s::text[], %(outputs)s::text[]) AS given (key, output)
ON CONFLICT (key) DO NOTHING;

-- name: claim_question
-- Become the one who asks; touches no row while somebody else does, or when the answer is there.
INSERT INTO llm_answers (key, model, step, claimed_until, used_at)
VALUES (%(key)s, %(model)s, %(step)s, %(until)s, %(now)s)
ON CONFLICT (key) DO UPDATE SET claimed_until = excluded.claimed_until
WHERE llm_answers.output IS NULL AND llm_answers.claimed_until <= %(now)s;

-- name: save_answer
-- Keep what was answered, for everybody who asks the same.
UPDATE llm_answers SET output = %(output)s, made_at = %(now)s, used_at = %(now)s WHERE key = %(key)s;

-- name: forget_answer
-- Give up a claim, or an answer that no longer has the form of its step.
DELETE FROM llm_answers WHERE key = %(key)s;

-- name: forget_step_answers
-- Remove what was answered to one step, and the claims of those who are asking: what they hear is not kept.
DELETE FROM llm_answers WHERE step = %(step)s;

-- name: forget_old_answers
-- Remove answers that nobody has used since a moment.
DELETE FROM llm_answers WHERE used_at < %(before)s;

-- name: record_use
-- Add a line to the ledger.
INSERT INTO llm_uses (
    at, desk, step, subject, model, prompt_version, outcome, cached,
    requests, input_tokens, output_tokens, cost, priced, seconds
)
VALUES (
    %(at)s, %(desk)s, %(step)s, %(subject)s, %(model)s, %(prompt_version)s, %(outcome)s, %(cached)s,
    %(requests)s, %(input_tokens)s, %(output_tokens)s, %(cost)s, %(priced)s, %(seconds)s
);

-- name: sum_cost
-- What models have cost from one moment to another.
SELECT coalesce(sum(cost), 0) FROM llm_uses WHERE cost > 0 AND at >= %(start)s AND at < %(end)s;

-- name: sum_use_by_day
-- Uses and cost of each day of a period that has any, on the clocks of a time zone.
SELECT (at AT TIME ZONE %(zone)s)::date AS day, count(*) AS uses, sum(cost) AS cost
FROM llm_uses
WHERE at >= %(start)s AND at < %(end)s
GROUP BY 1
ORDER BY 1;

-- name: sum_use_by_step
-- What each desk, step and model took in a period, dearest first.
SELECT
    desk,
    step,
    model,
    count(*) AS uses,
    count(*) FILTER (WHERE cached) AS cached,
    count(*) FILTER (WHERE outcome NOT IN ('written', 'repaired')) AS failed,
    sum(requests)::bigint AS requests,
    sum(input_tokens)::bigint AS input_tokens,
    sum(output_tokens)::bigint AS output_tokens,
    sum(cost) AS cost,
    count(*) FILTER (WHERE NOT priced) AS unpriced,
    coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE NOT cached), 0) AS median_seconds
FROM llm_uses
WHERE at >= %(start)s AND at < %(end)s
GROUP BY desk, step, model
ORDER BY sum(cost) DESC, count(*) DESC, desk, step, model;

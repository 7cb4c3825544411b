-- Models: what they answered, kept so that the same question is paid once, and what each use of them took.

CREATE TABLE llm_answers (
    -- Hash of model, step, prompt, rendered input and output schema.
    key text PRIMARY KEY,
    model text NOT NULL,
    step text NOT NULL,
    -- As the model wrote it, with stand-ins for sources; null while somebody is asking.
    output text,
    claimed_until timestamptz NOT NULL,
    made_at timestamptz,
    used_at timestamptz NOT NULL
);

CREATE INDEX llm_answers_by_use ON llm_answers (used_at);

CREATE TABLE llm_uses (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    desk text NOT NULL,
    step text NOT NULL,
    subject text NOT NULL,
    model text NOT NULL,
    prompt_version text NOT NULL,
    outcome text NOT NULL,
    cached boolean NOT NULL,
    requests integer NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cost numeric(20, 10) NOT NULL CONSTRAINT llm_uses_cost_is_no_gain CHECK (cost >= 0),
    priced boolean NOT NULL,
    seconds double precision NOT NULL
);

CREATE INDEX llm_uses_by_time ON llm_uses (at, id);
CREATE INDEX llm_uses_that_cost ON llm_uses (at) INCLUDE (cost) WHERE cost > 0;

ALTER TABLE job_runs DROP CONSTRAINT job_runs_outcome_check;
ALTER TABLE job_runs ADD CONSTRAINT job_runs_outcome_check CHECK (
    outcome IN ('succeeded', 'retrying', 'paused', 'failed', 'cancelled', 'interrupted', 'lost')
);

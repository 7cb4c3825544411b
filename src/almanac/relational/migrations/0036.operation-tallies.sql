-- What happened, as numbers that only grow: attempts at jobs with their durations, mail, and what models cost. Jobs and
-- mails are deleted after a while; these sums stay. Adding a line waits for nobody; lines are folded into sums now and
-- then.

CREATE TABLE operation_tallies (
    name text NOT NULL,
    subject text NOT NULL,
    detail text NOT NULL,
    amount double precision NOT NULL
);

CREATE FUNCTION tally_run() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    work text := (SELECT task_name FROM procrastinate_jobs WHERE id = NEW.job_id);
    took double precision := greatest(extract(epoch FROM NEW.finished_at - NEW.started_at), 0);
BEGIN
    IF work IS NULL THEN
        RETURN NULL;
    END IF;
    INSERT INTO operation_tallies (name, subject, detail, amount)
    VALUES
        ('job_runs', work, NEW.outcome, 1),
        ('job_seconds', work, '', took),
        (
            'job_seconds_bucket',
            work,
            (
                SELECT coalesce(min(edge)::text, '+Inf')
                FROM unnest(ARRAY[0.1, 0.5, 1, 5, 15, 60, 300, 1800]) AS edge
                WHERE took <= edge
            ),
            1
        );
    RETURN NULL;
END;
$$;

CREATE TRIGGER tally_run AFTER UPDATE OF outcome ON job_runs
    FOR EACH ROW WHEN (OLD.outcome IS NULL AND NEW.outcome IS NOT NULL) EXECUTE FUNCTION tally_run();

CREATE FUNCTION tally_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO operation_tallies (name, subject, detail, amount)
    VALUES ('mail', NEW.status, coalesce(NEW.failure, NEW.transport, ''), 1);
    RETURN NULL;
END;
$$;

CREATE TRIGGER tally_mail AFTER UPDATE OF status ON mail_messages
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status IN ('sent', 'failed', 'unknown'))
    EXECUTE FUNCTION tally_mail();
CREATE TRIGGER tally_new_mail AFTER INSERT ON mail_messages
    FOR EACH ROW WHEN (NEW.status IN ('sent', 'failed', 'unknown')) EXECUTE FUNCTION tally_mail();

CREATE FUNCTION tally_model_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO operation_tallies (name, subject, detail, amount)
    SELECT name, NEW.desk || ' ' || NEW.step, detail, amount
    FROM (
        VALUES
            ('model_calls', CASE WHEN NEW.cached THEN 'cached' ELSE NEW.outcome END, 1),
            ('model_tokens', 'input', NEW.input_tokens::double precision),
            ('model_tokens', 'output', NEW.output_tokens::double precision),
            ('model_cost', '', NEW.cost::double precision)
    ) AS uses (name, detail, amount)
    WHERE amount <> 0;
    RETURN NULL;
END;
$$;

CREATE TRIGGER tally_model_use AFTER INSERT ON llm_uses FOR EACH ROW EXECUTE FUNCTION tally_model_use();

-- How long the oldest delivery waits.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (created_at) WHERE state = 'waiting';

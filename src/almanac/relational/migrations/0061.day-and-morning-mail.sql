-- The record of a day: what failed, was mailed and was collected between two moments.
CREATE INDEX job_runs_failed ON job_runs (finished_at) WHERE outcome = 'failed';
CREATE INDEX mail_messages_by_end ON mail_messages (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX news_runs_by_start ON news_runs (started_at);

-- The mail that tells a person in the morning what the day brings; without an hour they get none. Days are numbered from
-- Monday, which is 1.
ALTER TABLE notification_settings
    ADD COLUMN morning_hour smallint CONSTRAINT notification_settings_morning_hour_is_one CHECK (morning_hour BETWEEN 0 AND 23),
    ADD COLUMN morning_days smallint[] NOT NULL DEFAULT '{1,2,3,4,5}',
    ADD COLUMN morning_when_empty boolean NOT NULL DEFAULT false;

CREATE INDEX notification_settings_morning ON notification_settings (user_id) WHERE morning_hour IS NOT NULL;

-- A person's day has one morning mail at most; `sent` is false where there was nothing to tell.
CREATE TABLE morning_mails (
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    day date NOT NULL,
    sent boolean NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, day)
);

CREATE INDEX morning_mails_by_age ON morning_mails (created_at);

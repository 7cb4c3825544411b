-- What a query task would find, as a job found out; kept for a day, because the next look finds something else.

CREATE TABLE news_previews (
    job_id BIGINT PRIMARY KEY,
    found JSONB NOT NULL,
    created_at TIMESTAMP NOT NULL
);

-- What the news desk keeps beside its documented tables: identity of addresses, leases, runs, politeness, stories.

ALTER TABLE news_links
    ADD COLUMN canonical_url TEXT,
    ADD COLUMN domain VARCHAR(255),
    ADD COLUMN cause VARCHAR(50),
    ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN next_attempt_at TIMESTAMP,
    ADD COLUMN lease TEXT,
    ADD COLUMN lease_until TIMESTAMP,
    ADD COLUMN duplicate_of INTEGER REFERENCES news_links (id) ON DELETE SET NULL,
    ADD COLUMN published DATE,
    ADD COLUMN etag TEXT,
    ADD COLUMN last_modified TEXT;

CREATE INDEX news_links_waiting ON news_links (domain, discovered_at DESC, id DESC) WHERE status IN ('pending', 'blocked');
CREATE INDEX news_links_leased ON news_links (lease) WHERE status = 'processing';
CREATE INDEX news_links_unread ON news_links (id) WHERE canonical_url IS NULL;
CREATE INDEX news_links_duplicate_of ON news_links (duplicate_of) WHERE duplicate_of IS NOT NULL;

-- Other addresses of a link, found on the way: where it redirects to, and what its page calls itself.
CREATE TABLE news_aliases (
    url_hash VARCHAR(64) PRIMARY KEY,
    url TEXT NOT NULL,
    link_id INTEGER NOT NULL REFERENCES news_links (id) ON DELETE CASCADE
);

CREATE INDEX news_aliases_link ON news_aliases (link_id);

ALTER TABLE processed_content
    ADD COLUMN article TEXT,
    ADD COLUMN language VARCHAR(8),
    ADD COLUMN text_hash VARCHAR(64),
    ADD COLUMN cluster INTEGER,
    ADD COLUMN signature BYTEA,
    ADD COLUMN bands BIGINT[];

CREATE INDEX processed_content_cluster ON processed_content (cluster);
CREATE INDEX processed_content_bands ON processed_content USING gin (bands);

ALTER TABLE blacklisted_sites
    ADD COLUMN cause VARCHAR(50),
    ADD COLUMN evidence JSONB,
    ADD COLUMN expires_at TIMESTAMP,
    ADD COLUMN strikes INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN is_allowed BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE query_tasks
    ADD COLUMN time_zone VARCHAR(64),
    ADD COLUMN next_run TIMESTAMP,
    ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

CREATE INDEX query_tasks_due ON query_tasks (next_run) WHERE is_active;

CREATE TABLE news_sources (
    id SERIAL PRIMARY KEY,
    task_id INTEGER NOT NULL REFERENCES query_tasks (id) ON DELETE CASCADE,
    kind VARCHAR(20) NOT NULL,
    address TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    etag TEXT,
    last_modified TEXT,
    last_fetched TIMESTAMP,
    last_error TEXT,
    failures INTEGER NOT NULL DEFAULT 0,
    UNIQUE (task_id, kind, address)
);

CREATE TABLE news_runs (
    id SERIAL PRIMARY KEY,
    task_id INTEGER NOT NULL REFERENCES query_tasks (id) ON DELETE CASCADE,
    trigger VARCHAR(20) NOT NULL,
    job_id BIGINT,
    started_at TIMESTAMP NOT NULL,
    finished_at TIMESTAMP,
    status VARCHAR(20) NOT NULL DEFAULT 'running',
    found INTEGER NOT NULL DEFAULT 0,
    added INTEGER NOT NULL DEFAULT 0,
    duplicate INTEGER NOT NULL DEFAULT 0,
    blocked INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0,
    problems TEXT[] NOT NULL DEFAULT '{}'
);

CREATE INDEX news_runs_task ON news_runs (task_id, id DESC);
CREATE UNIQUE INDEX news_runs_job ON news_runs (job_id);

CREATE TABLE news_link_tasks (
    link_id INTEGER NOT NULL REFERENCES news_links (id) ON DELETE CASCADE,
    task_id INTEGER NOT NULL REFERENCES query_tasks (id) ON DELETE CASCADE,
    run_id INTEGER REFERENCES news_runs (id) ON DELETE SET NULL,
    found_at TIMESTAMP NOT NULL,
    PRIMARY KEY (link_id, task_id)
);

CREATE INDEX news_link_tasks_task ON news_link_tasks (task_id, found_at);

CREATE TABLE news_domains (
    domain VARCHAR(255) PRIMARY KEY,
    next_request_at TIMESTAMP NOT NULL,
    delay_ms INTEGER,
    robots TEXT,
    robots_until TIMESTAMP,
    requests INTEGER NOT NULL DEFAULT 0,
    succeeded INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0,
    failures_in_a_row INTEGER NOT NULL DEFAULT 0,
    refusals_in_a_row INTEGER NOT NULL DEFAULT 0,
    last_status INTEGER,
    last_problem TEXT,
    last_success_at TIMESTAMP,
    last_request_at TIMESTAMP
);

CREATE INDEX news_domains_next ON news_domains (next_request_at);

CREATE TABLE news_rules (
    id SERIAL PRIMARY KEY,
    name VARCHAR(255) UNIQUE NOT NULL,
    action VARCHAR(10) NOT NULL,
    query TEXT NOT NULL,
    tag VARCHAR(50),
    is_active BOOLEAN NOT NULL DEFAULT true,
    version INTEGER NOT NULL DEFAULT 1,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX news_links_being_read ON news_links (domain) WHERE status = 'processing';

-- The sites that are not asked, and until when; an entry without an end of its own ends after thirty days.
CREATE VIEW news_blocked_sites AS
SELECT domain, reason, cause, COALESCE(expires_at, COALESCE(updated_at, created_at) + INTERVAL '30 days') AS until
FROM blacklisted_sites
WHERE NOT is_allowed;

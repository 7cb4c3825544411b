-- The news desk's documented tables: names, types, defaults and indexes are a contract with programs outside Almanac.

CREATE TABLE news_links (
    id SERIAL PRIMARY KEY,
    url TEXT NOT NULL,
    url_hash VARCHAR(64) UNIQUE NOT NULL,
    title TEXT,
    discovered_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    source_task VARCHAR(255),
    status VARCHAR(50) DEFAULT 'pending',
    error_message TEXT,
    processed_at TIMESTAMP,
    last_checked TIMESTAMP,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_news_links_url_hash ON news_links (url_hash);
CREATE INDEX idx_news_links_status ON news_links (status);
CREATE INDEX idx_news_links_source_task ON news_links (source_task);

CREATE TABLE processed_content (
    id SERIAL PRIMARY KEY,
    link_id INTEGER UNIQUE REFERENCES news_links (id) ON DELETE CASCADE,
    title TEXT,
    title_en TEXT,
    title_zh TEXT,
    title_ms TEXT,
    content TEXT,
    translated_content TEXT,
    tags TEXT[],
    country VARCHAR(2),
    news_date DATE,
    metadata JSONB,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_processed_content_link_id ON processed_content (link_id);
CREATE INDEX idx_processed_content_tags ON processed_content USING gin (tags);
CREATE INDEX idx_processed_content_country ON processed_content (country);
CREATE INDEX idx_processed_content_news_date ON processed_content (news_date);

CREATE TABLE blacklisted_sites (
    id SERIAL PRIMARY KEY,
    domain VARCHAR(255) UNIQUE NOT NULL,
    url TEXT NOT NULL,
    title TEXT,
    reason TEXT,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_blacklisted_sites_domain ON blacklisted_sites (domain);

CREATE TABLE query_tasks (
    id SERIAL PRIMARY KEY,
    task_name VARCHAR(255) UNIQUE NOT NULL,
    prompt_template TEXT NOT NULL,
    is_active BOOLEAN DEFAULT true,
    schedule VARCHAR(100),
    last_run TIMESTAMP,
    total_runs INTEGER DEFAULT 0,
    total_links_found INTEGER DEFAULT 0,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_query_tasks_task_name ON query_tasks (task_name);
CREATE INDEX idx_query_tasks_is_active ON query_tasks (is_active);

INSERT INTO query_tasks (task_name, prompt_template, schedule) VALUES ('urgent_news', 'Find urgent news', 'daily');
INSERT INTO news_links (url, url_hash, title, source_task, status, processed_at)
VALUES ('https://example.org/a', repeat('a', 64), 'Found title', 'urgent_news', 'completed', now());
INSERT INTO processed_content (link_id, title, title_zh, content, translated_content, tags, country, news_date, metadata)
SELECT id, 'Raw headline', '标题', '[b]Points[/b]', '{"en": "• One point\n• Another point", "zh": "一点", "ms": ""}',
    ARRAY['Solar'], 'MY', '2026-02-03', '{"source_domain": "example.org"}'
FROM news_links;
INSERT INTO blacklisted_sites (domain, url, title, reason)
VALUES ('malaymail.com', 'https://malaymail.com/x', 'T', 'HTTP 403: Forbidden');

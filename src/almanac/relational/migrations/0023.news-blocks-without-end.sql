-- Other programs and people may write `infinity` where a block has no end, which not every program can read; such a
-- block stands until somebody lifts it, as one that was set by hand does.

CREATE OR REPLACE VIEW news_blocked_sites AS
SELECT domain, reason, cause, CASE WHEN until > TIMESTAMP '9999-01-01' THEN TIMESTAMP '9999-01-01' ELSE until END AS until
FROM (
    SELECT domain, reason, cause, COALESCE(expires_at, COALESCE(updated_at, created_at) + INTERVAL '30 days') AS until
    FROM blacklisted_sites
    WHERE NOT is_allowed
) AS blocked;

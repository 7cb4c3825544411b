-- name: hold_register
-- Let one transaction at a time change the register, so that its counts follow from what it saw.
SELECT pg_advisory_xact_lock(%(lock)s);

-- name: add_values
-- Make values known, and spellings that were not known yet.
INSERT INTO recap_values AS known (facet, folded, spellings)
SELECT facet, folded, array_agg(DISTINCT value)
FROM unnest(%(facets)s::text[], %(folded)s::text[], %(values)s::text[]) AS given (facet, folded, value)
GROUP BY facet, folded
ON CONFLICT ON CONSTRAINT recap_values_are_unique DO UPDATE
SET spellings = ARRAY(SELECT DISTINCT unnest(known.spellings || excluded.spellings))
WHERE NOT known.spellings @> excluded.spellings;

-- name: values_of
-- The numbers and spellings of values.
SELECT known.id, known.facet, known.folded, known.spellings
FROM recap_values AS known
JOIN unnest(%(facets)s::text[], %(folded)s::text[]) AS given (facet, folded) USING (facet, folded);

-- name: filed_before
-- Under which values articles are filed now.
SELECT id, filed FROM recap_articles WHERE id = ANY(%(ids)s);

-- name: file_articles
-- File articles, or file them anew, with what is shown of them.
WITH given AS (
    SELECT id, day, string_to_array(filed, ' ')::integer[] AS filed, card::jsonb
    FROM unnest(%(ids)s::text[], %(days)s::date[], %(filed)s::text[], %(cards)s::text[]) AS given (id, day, filed, card)
), filed AS (
    INSERT INTO recap_articles (id, day, filed) SELECT id, day, filed FROM given
    ON CONFLICT ON CONSTRAINT recap_articles_are_unique DO UPDATE SET day = excluded.day, filed = excluded.filed
    RETURNING number, id
)
INSERT INTO recap_cards (number, card) SELECT number, card FROM filed JOIN given USING (id)
ON CONFLICT (number) DO UPDATE SET card = excluded.card;

-- name: remove_articles
-- Take articles out of the register.
DELETE FROM recap_articles WHERE id = ANY(%(ids)s);

-- name: count_on
-- Add to the number of articles filed under values.
UPDATE recap_values SET articles = articles + change
FROM unnest(%(values)s::integer[], %(changes)s::integer[]) AS given (value, change) WHERE id = value;

-- name: newest_filed
-- A page of the articles filed under the values wanted, newest first, and how many there are in all.
WITH found AS MATERIALIZED (
    SELECT number, day FROM recap_articles
    WHERE vector @@ %(wanted)s::tsquery AND day >= %(since)s AND day <= %(until)s
)
SELECT page.number, page.day, (SELECT count(*) FROM found) AS total FROM (VALUES (0)) AS one LEFT JOIN LATERAL (
    SELECT number, day FROM found WHERE (day, number) < (%(after_day)s, %(after_number)s)
    ORDER BY day DESC, number DESC LIMIT %(limit)s
) AS page ON true;

-- name: oldest_filed
-- A page of the articles filed under the values wanted, oldest first, and how many there are in all.
WITH found AS MATERIALIZED (
    SELECT number, day FROM recap_articles
    WHERE vector @@ %(wanted)s::tsquery AND day >= %(since)s AND day <= %(until)s
)
SELECT page.number, page.day, (SELECT count(*) FROM found) AS total FROM (VALUES (0)) AS one LEFT JOIN LATERAL (
    SELECT number, day FROM found WHERE (day, number) > (%(after_day)s, %(after_number)s)
    ORDER BY day, number LIMIT %(limit)s
) AS page ON true;

-- name: newest_of_all
-- A page of all articles, newest first, and how many there are in all.
SELECT page.number, page.day, (
    SELECT count(*) FROM recap_articles WHERE day >= %(since)s AND day <= %(until)s
) AS total FROM (VALUES (0)) AS one LEFT JOIN LATERAL (
    SELECT number, day FROM recap_articles
    WHERE (day, number) < (%(after_day)s, %(after_number)s) AND day >= %(since)s AND day <= %(until)s
    ORDER BY day DESC, number DESC LIMIT %(limit)s
) AS page ON true;

-- name: oldest_of_all
-- A page of all articles, oldest first, and how many there are in all.
SELECT page.number, page.day, (
    SELECT count(*) FROM recap_articles WHERE day >= %(since)s AND day <= %(until)s
) AS total FROM (VALUES (0)) AS one LEFT JOIN LATERAL (
    SELECT number, day FROM recap_articles
    WHERE (day, number) > (%(after_day)s, %(after_number)s) AND day >= %(since)s AND day <= %(until)s
    ORDER BY day, number LIMIT %(limit)s
) AS page ON true;

-- name: count_filed
-- The values under which the newest of the articles wanted are filed, the most frequent of each facet.
WITH found AS MATERIALIZED (
    SELECT number, day, filed FROM recap_articles
    WHERE vector @@ %(wanted)s::tsquery AND day >= %(since)s AND day <= %(until)s
), counted AS (
    SELECT value, count(*) AS count
    FROM (SELECT filed FROM found ORDER BY day DESC, number DESC LIMIT %(counted)s) AS newest, unnest(filed) AS value
    GROUP BY value
), ordered AS (
    SELECT facet, spellings[1] AS value, count, row_number() OVER (PARTITION BY facet ORDER BY count DESC, folded) AS place
    FROM counted JOIN recap_values ON id = counted.value WHERE facet = ANY(%(facets)s)
)
SELECT facet, value, count FROM ordered WHERE place <= %(most)s ORDER BY facet, place;

-- name: count_of_all
-- The values under which the newest articles are filed, the most frequent of each facet.
WITH counted AS (
    SELECT value, count(*) AS count FROM (
        SELECT filed FROM recap_articles WHERE day >= %(since)s AND day <= %(until)s
        ORDER BY day DESC, number DESC LIMIT %(counted)s
    ) AS newest, unnest(filed) AS value
    GROUP BY value
), ordered AS (
    SELECT facet, spellings[1] AS value, count, row_number() OVER (PARTITION BY facet ORDER BY count DESC, folded) AS place
    FROM counted JOIN recap_values ON id = counted.value WHERE facet = ANY(%(facets)s)
)
SELECT facet, value, count FROM ordered WHERE place <= %(most)s ORDER BY facet, place;

-- name: cards_of
-- What is shown of articles.
SELECT number, card FROM recap_cards WHERE number = ANY(%(numbers)s);

-- name: values_beginning
-- Values that begin with a text, the most frequent first.
SELECT facet, spellings[1] AS value, articles AS count FROM recap_values
WHERE folded LIKE %(beginning)s AND facet = ANY(%(facets)s) AND articles > 0
ORDER BY articles DESC, folded LIMIT %(limit)s;

-- name: plan_for_finding
-- For this transaction: always by the index, and no plans worth compiling.
SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '64MB', true);

-- name: known_articles
-- The names of articles in the register after a name, in order.
SELECT id FROM recap_articles WHERE id > %(after)s ORDER BY id LIMIT %(limit)s;

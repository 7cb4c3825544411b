-- Speeches of recap articles, to be found by their words and by who said them about what. They follow from the articles
-- and go with them.

-- When an article was first published: what is new to somebody who follows a person is what came since, not a re-made one.
ALTER TABLE recap_articles ADD COLUMN first_at timestamptz;
UPDATE recap_articles SET first_at = changed_at;
ALTER TABLE recap_articles ALTER COLUMN first_at SET DEFAULT now(), ALTER COLUMN first_at SET NOT NULL;
CREATE INDEX recap_articles_first_published ON recap_articles (first_at, number);

CREATE TABLE recap_speeches (
    -- The place of its article, so that speeches are in the order of their meetings.
    place bigint NOT NULL,
    speech integer NOT NULL,
    article integer NOT NULL REFERENCES recap_articles (number) ON DELETE CASCADE,
    -- How many words it has, by which ranking tells a long speech from one that is about the words.
    words integer NOT NULL,
    -- Who, from which group, in which meeting, about which bills, as name=value.
    facets text[] NOT NULL,
    about jsonb NOT NULL,
    text text NOT NULL,
    vector tsvector NOT NULL,
    PRIMARY KEY (place, speech)
) WITH (toast_tuple_target = 128);

-- Matching and counting read every row that is found, but only its narrow columns; vectors stay uncompressed, as phrases
-- and ranking read many of them.
ALTER TABLE recap_speeches
    ALTER COLUMN facets SET STORAGE PLAIN,
    ALTER COLUMN about SET STORAGE MAIN,
    ALTER COLUMN vector SET STORAGE EXTERNAL;

-- For the removal of an article's speeches.
CREATE INDEX recap_speeches_of_article ON recap_speeches (article);

-- New speeches wait in a list that every search reads through, so it is kept short.
CREATE INDEX recap_speeches_vector ON recap_speeches USING gin (vector) WITH (gin_pending_list_limit = 1024);

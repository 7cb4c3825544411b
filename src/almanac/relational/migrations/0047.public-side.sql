-- The public side: when an article last changed, issues in the newsletter archive, and feeds that anyone may read.

-- Articles from before this are as new as their day, which search engines may know already.
ALTER TABLE recap_articles ADD COLUMN changed_at timestamptz;
UPDATE recap_articles SET changed_at = day;
ALTER TABLE recap_articles ALTER COLUMN changed_at SET DEFAULT now(), ALTER COLUMN changed_at SET NOT NULL;

-- What an editor decided to show to everybody: the text as it was at that moment, whatever happens to the draft.
CREATE TABLE newsletter_archive (
    code text PRIMARY KEY,
    title text NOT NULL,
    summary text NOT NULL,
    language text NOT NULL,
    day date NOT NULL,
    body text NOT NULL,
    edition integer NOT NULL DEFAULT 1,
    published_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    published_by text NOT NULL,
    withdrawn_at timestamptz
);
CREATE INDEX newsletter_archive_by_day ON newsletter_archive (day DESC, code DESC) WHERE withdrawn_at IS NULL;

-- The name under which anyone reads a saved query; null while it is private.
ALTER TABLE saved_queries ADD COLUMN public_name text CONSTRAINT saved_queries_public_names UNIQUE;
ALTER TABLE saved_queries ADD COLUMN public_since timestamptz;

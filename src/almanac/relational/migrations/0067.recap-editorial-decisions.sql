-- Which decision about an article the indexes follow already, so that a repeated step announces it only once.
CREATE TABLE recap_editorial_decisions (
    article_id text PRIMARY KEY,
    revision integer NOT NULL
);

-- Which person checked which sentence of a document beside its sources. A sentence is named by a hash of its words and of
-- its sources' texts, so that a verdict counts only for what was read.

CREATE TABLE sentence_verdicts (
    desk text NOT NULL,
    document text NOT NULL,
    sentence text NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    checked_at timestamptz NOT NULL,
    PRIMARY KEY (desk, document, sentence, user_id)
);

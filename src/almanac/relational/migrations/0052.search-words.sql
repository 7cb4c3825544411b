-- Search: the words that documents are made of, as they are spelled, to look up what a misspelled word was meant to be.
-- A word may stand here twice, where two transactions added it at once; that is tidied later, so that none waits.

CREATE TABLE search_words (
    word text NOT NULL,
    -- Every three letters that follow each other, with blanks around the word.
    trigrams text[] NOT NULL
);

CREATE INDEX search_words_word ON search_words (word);
CREATE INDEX search_words_trigrams ON search_words USING gin (trigrams);

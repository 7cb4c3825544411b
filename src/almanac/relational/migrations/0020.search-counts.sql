-- Search: how many documents have which value of a facet, kept with every change, so that a search without words
-- counts nothing and reads the latest documents from an index, however many there are.

CREATE TABLE search_counts (
    kind text NOT NULL,
    owner text,
    permission text,
    name text NOT NULL,
    value text NOT NULL,
    documents bigint NOT NULL,
    CONSTRAINT search_counts_are_unique UNIQUE NULLS NOT DISTINCT (name, kind, owner, permission, value)
);

-- What changes of documents add and take away, until it is added up: writers of one count would wait for each other.
CREATE TABLE search_count_changes (
    kind text NOT NULL,
    owner text,
    permission text,
    name text NOT NULL,
    value text NOT NULL,
    documents bigint NOT NULL
);

CREATE VIEW search_kept_counts AS
SELECT kind, owner, permission, name, value, documents FROM search_counts
UNION ALL
SELECT kind, owner, permission, name, value, documents FROM search_count_changes;

INSERT INTO search_counts (kind, owner, permission, name, value, documents)
SELECT kind, owner, permission, split_part(facet, '=', 1), substr(facet, strpos(facet, '=') + 1), count(*)
FROM search_documents, unnest(facets) AS facet GROUP BY 1, 2, 3, 4, 5;

CREATE FUNCTION search_documents_came() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_count_changes (kind, owner, permission, name, value, documents)
    SELECT kind, owner, permission, split_part(facet, '=', 1), substr(facet, strpos(facet, '=') + 1), count(*)
    FROM came, unnest(facets) AS facet GROUP BY 1, 2, 3, 4, 5;
    RETURN NULL;
END $$;

CREATE FUNCTION search_documents_went() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_count_changes (kind, owner, permission, name, value, documents)
    SELECT kind, owner, permission, split_part(facet, '=', 1), substr(facet, strpos(facet, '=') + 1), -count(*)
    FROM went, unnest(facets) AS facet GROUP BY 1, 2, 3, 4, 5;
    RETURN NULL;
END $$;

-- Most documents are replaced by ones with the same facets, which changes no count.
CREATE FUNCTION search_documents_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_count_changes (kind, owner, permission, name, value, documents)
    SELECT kind, owner, permission, split_part(facet, '=', 1), substr(facet, strpos(facet, '=') + 1), sum(one)
    FROM (
        SELECT kind, owner, permission, facets, 1 AS one FROM came
        UNION ALL
        SELECT kind, owner, permission, facets, -1 FROM went
    ) AS changed, unnest(facets) AS facet
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(one) <> 0;
    RETURN NULL;
END $$;

CREATE FUNCTION search_documents_cleared() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE search_counts, search_count_changes;
    RETURN NULL;
END $$;

CREATE TRIGGER count_documents_that_came AFTER INSERT ON search_documents
    REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION search_documents_came();
CREATE TRIGGER count_documents_that_went AFTER DELETE ON search_documents
    REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION search_documents_went();
CREATE TRIGGER count_documents_that_changed AFTER UPDATE ON search_documents
    REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION search_documents_changed();
CREATE TRIGGER count_no_documents AFTER TRUNCATE ON search_documents
    FOR EACH STATEMENT EXECUTE FUNCTION search_documents_cleared();

-- Also for whoever writes with triggers off, as copying much at once does: a count that is wrong stays wrong.
ALTER TABLE search_documents
    ENABLE ALWAYS TRIGGER count_documents_that_came,
    ENABLE ALWAYS TRIGGER count_documents_that_went,
    ENABLE ALWAYS TRIGGER count_documents_that_changed,
    ENABLE ALWAYS TRIGGER count_no_documents;

-- The latest documents of those that are seen by the same people. Nothing is equal to NULL, so it is spelled here.
CREATE INDEX search_documents_latest ON search_documents (
    kind, (coalesce('=' || owner, '')), (coalesce('=' || permission, '')), moment, id
);

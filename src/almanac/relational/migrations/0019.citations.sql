-- Who cites what across desks: each finished document with the passages it rests on. It follows from the documents.

CREATE TABLE citations (
    code text NOT NULL,
    passage text NOT NULL,
    desk text NOT NULL,
    item text NOT NULL,
    part text NOT NULL,
    title text NOT NULL,
    path text NOT NULL,
    owner_id text NOT NULL,
    quote text NOT NULL,
    cited_at timestamptz NOT NULL,
    PRIMARY KEY (code, passage)
);

CREATE INDEX citations_of_an_item ON citations (desk, item, cited_at DESC);

-- Official results of votes by group, from a second source beside the record. A row is shown with a decision only where day, title
-- and counts are the same.

CREATE TABLE recap_group_votes (
    house text NOT NULL,
    day date NOT NULL,
    title text NOT NULL,
    total integer NOT NULL,
    in_favour integer NOT NULL,
    against integer NOT NULL,
    groups jsonb NOT NULL,
    source text NOT NULL,
    PRIMARY KEY (house, day, title, in_favour, against)
);

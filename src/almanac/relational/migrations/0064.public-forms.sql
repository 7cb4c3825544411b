-- How many forms of the public side were sent in an hour, by a hash of the sender's address and in all. Lost counts cost
-- nothing, so the table isn't logged.

CREATE UNLOGGED TABLE public_form_counts (
    form text NOT NULL,
    sender text NOT NULL,
    hour timestamptz NOT NULL,
    uses integer NOT NULL,
    PRIMARY KEY (form, sender, hour)
);

-- Which test messages a mail server took, and why the others weren't sent: only the code of one that left can come back.

ALTER TABLE setup_trials ADD COLUMN is_delivered boolean NOT NULL DEFAULT false;
ALTER TABLE setup_trials ADD COLUMN failure text;

-- By which code the documents of each kind were indexed, and by which the rebuild under way does it. A kind that other
-- code indexed, or that is new, is rebuilt in the background after an upgrade.

ALTER TABLE search_rebuilds
    ADD COLUMN fingerprint text,
    ADD COLUMN building text,
    ADD COLUMN job_id bigint;

-- Who has ended the tour of the first visit, and when.

ALTER TABLE users ADD COLUMN toured_at timestamptz;

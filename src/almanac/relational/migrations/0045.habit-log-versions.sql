-- Whoever locks a person's log gives it a new version, so that what was computed from it can be kept as long as it holds.

ALTER TABLE habit_people ADD COLUMN log_version uuid NOT NULL DEFAULT gen_random_uuid();

-- When each person's next day begins on their own clocks, so that only those are looked at for whom one has begun.

ALTER TABLE habit_people ADD COLUMN turns_at timestamptz;

CREATE INDEX habit_people_by_turn ON habit_people (turns_at);

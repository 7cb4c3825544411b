-- Who wants a mail about each week of habits, and the Monday on which the last one was written.

ALTER TABLE habit_people
    ADD COLUMN weekly_report boolean NOT NULL DEFAULT false,
    ADD COLUMN reported_on date;

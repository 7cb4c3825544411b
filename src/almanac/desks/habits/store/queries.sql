-- name: add_person
-- Insert a person, or update their name.
INSERT INTO habit_people (user_id, username, updated_at) VALUES (%(user_id)s, %(username)s, %(now)s)
ON CONFLICT (user_id) DO UPDATE SET username = excluded.username WHERE habit_people.username <> excluded.username;

-- name: add_first_time_zone
-- The time zone of a person who has none stored yet.
INSERT INTO habit_stays (user_id, since, zone, day_start)
SELECT %(user_id)s, %(now)s, %(zone)s, %(day_start)s
WHERE NOT EXISTS (SELECT FROM habit_stays WHERE user_id = %(user_id)s);

-- name: add_time_zone
-- A person's time zone and start of day from now on.
INSERT INTO habit_stays (user_id, since, zone, day_start) VALUES (%(user_id)s, %(now)s, %(zone)s, %(day_start)s)
ON CONFLICT (user_id, since) DO UPDATE SET zone = excluded.zone, day_start = excluded.day_start;

-- name: find_person
-- One person's points and settings. A transaction that has written gets no version of the log: it may go on changing it.
SELECT user_id, username, listed, weekly_report, points, revision, version, turned_on,
    CASE WHEN pg_current_xact_id_if_assigned() IS NULL THEN log_version::text END AS log_version
FROM habit_people WHERE user_id = %(user_id)s;

-- name: lock_person
-- One person's points and settings; locks their log until the transaction ends, and gives it a new version.
UPDATE habit_people SET log_version = gen_random_uuid() WHERE user_id = %(user_id)s
RETURNING user_id, username, listed, weekly_report, points, revision, version, turned_on, NULL::text AS log_version;

-- name: list_time_zones
-- The time zones a person has used, oldest first.
SELECT since, zone, day_start FROM habit_stays WHERE user_id = %(user_id)s ORDER BY since;

-- name: find_time_zone
-- The time zone a person uses now.
SELECT zone, day_start FROM habit_stays WHERE user_id = %(user_id)s ORDER BY since DESC LIMIT 1;

-- name: list_people
-- A page of all people, by id.
SELECT user_id, username, listed, weekly_report, points, revision, version, turned_on, NULL::text AS log_version
FROM habit_people
WHERE user_id > %(after)s ORDER BY user_id LIMIT %(limit)s;

-- name: update_person
-- A person's settings.
UPDATE habit_people SET
    listed = %(listed)s, weekly_report = %(weekly_report)s, version = version + 1, revision = revision + 1,
    updated_at = %(now)s
WHERE user_id = %(user_id)s;

-- name: delete_person
-- Delete a person with their time zones and days off; their habits must be deleted first.
DELETE FROM habit_people WHERE user_id = %(user_id)s;

-- name: delete_ledger
-- Delete all ledger lines of a person.
DELETE FROM habit_ledger WHERE owner_id = %(user_id)s;

-- name: leave_all_groups
-- Remove a person from all groups.
DELETE FROM habit_group_members WHERE user_id = %(user_id)s;

-- name: add_person_points
-- Add to a person's points; negative numbers subtract.
UPDATE habit_people SET points = points + %(points)s, revision = revision + 1, updated_at = %(now)s
WHERE user_id = %(user_id)s;

-- name: set_person_points
-- Set a person's points to the sum computed from the log.
UPDATE habit_people SET points = %(points)s, revision = revision + 1, updated_at = %(now)s WHERE user_id = %(user_id)s;

-- name: list_due_rollovers
-- People whose next local day has started, or whose rollover isn't scheduled yet.
SELECT user_id FROM habit_people
WHERE (turns_at IS NULL OR turns_at <= %(now)s) AND user_id > %(after)s ORDER BY user_id LIMIT %(limit)s;

-- name: set_rollover
-- The day a person was rolled over to, and when their next day starts.
UPDATE habit_people SET turned_on = %(day)s, turns_at = %(next)s WHERE user_id = %(user_id)s;

-- name: reset_rollover
-- Clear the time of the next rollover after a change of time zone.
UPDATE habit_people SET turns_at = NULL WHERE user_id = %(user_id)s;

-- name: list_report_recipients
-- People who want a weekly report and had none since a day.
SELECT user_id FROM habit_people
WHERE weekly_report AND user_id > %(after)s AND (reported_on IS NULL OR reported_on < %(since)s)
ORDER BY user_id LIMIT %(limit)s;

-- name: claim_report
-- Claim the report of a Monday; no row if it was claimed before or isn't wanted any more.
UPDATE habit_people SET reported_on = %(monday)s
WHERE user_id = %(user_id)s AND weekly_report AND (reported_on IS NULL OR reported_on < %(monday)s);

-- name: insert_habit
-- Insert a habit, at the end of its owner's list unless a position is given.
INSERT INTO habits (
    id, owner_id, name, description, tags, habit_group, position, remind_at, archived_on, extras,
    created_at, updated_at
) VALUES (
    %(id)s, %(owner_id)s, %(name)s, %(description)s, %(tags)s, %(group)s,
    coalesce(%(position)s, (SELECT coalesce(max(position), 0) + 1 FROM habits WHERE owner_id = %(owner_id)s)),
    %(remind_at)s, %(archived_on)s, %(extras)s, %(now)s, %(now)s
);

-- name: put_rule
-- Insert or update the rule that applies from a day on.
INSERT INTO habit_rules (habit_id, since, schedule, goal) VALUES (%(habit_id)s, %(since)s, %(schedule)s, %(goal)s)
ON CONFLICT (habit_id, since) DO UPDATE SET schedule = excluded.schedule, goal = excluded.goal;

-- name: delete_rules
-- Delete all rules of a habit before new ones are written.
DELETE FROM habit_rules WHERE habit_id = %(habit_id)s;

-- name: find_habit
-- One habit.
SELECT * FROM habits WHERE id = %(id)s;

-- name: list_habits
-- One person's habits in their order, archived ones last.
SELECT * FROM habits WHERE owner_id = %(owner_id)s AND (%(archived)s OR archived_on IS NULL)
ORDER BY archived_on IS NOT NULL, position, id;

-- name: list_rules
-- The rules of habits, in order of their days.
SELECT habit_id, since, schedule, goal FROM habit_rules WHERE habit_id = ANY(%(ids)s) ORDER BY habit_id, since;

-- name: update_habit
-- Update the fields that an owner edits.
UPDATE habits SET
    name = %(name)s, description = %(description)s, tags = %(tags)s, habit_group = %(group)s, position = %(position)s,
    remind_at = %(remind_at)s, archived_on = %(archived_on)s, version = version + 1, updated_at = %(now)s
WHERE id = %(id)s;

-- name: update_stats
-- Store the stats computed from the log.
UPDATE habits SET
    revision = revision + 1, points = %(points)s, current_streak = %(current_streak)s, best_streak = %(best_streak)s,
    strength = %(strength)s, last_completed = %(last_completed)s, stands_until = %(stands_until)s
WHERE id = %(id)s;

-- name: delete_habit
-- Delete a habit with its rules, log, notes and badges.
DELETE FROM habits WHERE id = %(id)s;

-- name: put_completion
-- Insert or update the entry of a day; no row if the amount is unchanged. An entry that earned nothing before a late
-- change counts as late.
INSERT INTO habit_completions (habit_id, day, owner_id, amount, late, recorded_at)
VALUES (%(habit_id)s, %(day)s, %(owner_id)s, %(amount)s, %(late)s, %(now)s)
ON CONFLICT (habit_id, day) DO UPDATE SET amount = excluded.amount,
    late = habit_completions.late OR (excluded.late AND habit_completions.points = 0)
WHERE habit_completions.amount <> excluded.amount;

-- name: put_completions
-- Insert entries for many days; days that have one keep it.
INSERT INTO habit_completions (habit_id, day, owner_id, amount, late, recorded_at)
SELECT %(habit_id)s, day, %(owner_id)s, amount, true, %(now)s
FROM unnest(%(days)s::date[], %(amounts)s::numeric[]) AS entered (day, amount)
ON CONFLICT (habit_id, day) DO NOTHING;

-- name: delete_completion
-- Delete an entry and return its points.
DELETE FROM habit_completions WHERE habit_id = %(habit_id)s AND day = %(day)s RETURNING points;

-- name: list_completions
-- All entries of a habit by day.
SELECT day, amount, points, late, recorded_at FROM habit_completions WHERE habit_id = %(habit_id)s ORDER BY day;

-- name: list_logs
-- The days with an entry and their amounts by habit, without a limit: a streak may reach back any number of years. Days
-- are ordinals and each habit is one row, because years of them are read at once.
SELECT habit_id, array_agg(day - DATE '0001-01-01' + 1) AS days, array_agg(amount) AS amounts
FROM (
    SELECT habit_id, day, amount FROM habit_completions WHERE habit_id = ANY(%(habit_ids)s) ORDER BY habit_id, day
) AS entries
GROUP BY habit_id;

-- name: set_completion_points
-- Set the points of many entries.
UPDATE habit_completions SET points = earned.points
FROM unnest(%(days)s::date[], %(points)s::integer[]) AS earned (day, points)
WHERE habit_completions.habit_id = %(habit_id)s AND habit_completions.day = earned.day;

-- name: put_skips
-- Skip days; days skipped already stay skipped.
INSERT INTO habit_skips (habit_id, day, recorded_at)
SELECT %(habit_id)s, day, %(now)s FROM unnest(%(days)s::date[]) AS skipped (day)
ON CONFLICT (habit_id, day) DO NOTHING;

-- name: delete_skip
-- Undo a skip.
DELETE FROM habit_skips WHERE habit_id = %(habit_id)s AND day = %(day)s;

-- name: list_skips
-- The skipped days of habits.
SELECT habit_id, day FROM habit_skips WHERE habit_id = ANY(%(habit_ids)s) ORDER BY habit_id, day;

-- name: put_note
-- Insert or replace the note of a day.
INSERT INTO habit_notes (habit_id, day, note, updated_at) VALUES (%(habit_id)s, %(day)s, %(note)s, %(now)s)
ON CONFLICT (habit_id, day) DO UPDATE SET note = excluded.note, updated_at = excluded.updated_at;

-- name: delete_note
-- Delete the note of a day.
DELETE FROM habit_notes WHERE habit_id = %(habit_id)s AND day = %(day)s;

-- name: list_notes
-- The notes of a habit.
SELECT day, note FROM habit_notes WHERE habit_id = %(habit_id)s ORDER BY day;

-- name: add_vacation
-- Insert a vacation; no row if the same days are stored already.
INSERT INTO habit_vacations (id, owner_id, first_day, last_day)
VALUES (%(id)s, %(owner_id)s, %(first_day)s, %(last_day)s)
ON CONFLICT ON CONSTRAINT habit_vacations_are_told_once DO NOTHING;

-- name: list_vacations
-- A person's vacations, in order.
SELECT id, first_day, last_day FROM habit_vacations WHERE owner_id = %(owner_id)s ORDER BY first_day, last_day;

-- name: delete_vacation
-- Delete a vacation.
DELETE FROM habit_vacations WHERE id = %(id)s AND owner_id = %(owner_id)s;

-- name: add_rest_day
-- Insert a rest day; no row if it is stored already.
INSERT INTO habit_rest_days (owner_id, day) VALUES (%(owner_id)s, %(day)s) ON CONFLICT (owner_id, day) DO NOTHING;

-- name: list_rest_days
-- A person's rest days, in order.
SELECT day FROM habit_rest_days WHERE owner_id = %(owner_id)s ORDER BY day;

-- name: delete_rest_day
-- Delete a rest day.
DELETE FROM habit_rest_days WHERE owner_id = %(owner_id)s AND day = %(day)s;

-- name: add_ledger_lines
-- Insert changes of points with their reasons.
INSERT INTO habit_ledger (owner_id, habit_id, habit_name, day, points, reason, event_id, recorded_at)
SELECT %(owner_id)s, %(habit_id)s, %(habit_name)s, day, points, reason, %(event_id)s, %(now)s
FROM unnest(%(days)s::date[], %(points)s::integer[], %(reasons)s::text[]) AS changed (day, points, reason);

-- name: list_ledger
-- One page of a person's ledger, newest first.
SELECT id, habit_id, habit_name, day, points, reason, recorded_at FROM habit_ledger
WHERE owner_id = %(owner_id)s AND (%(habit_id)s::text IS NULL OR habit_id = %(habit_id)s)
    AND (%(before)s::bigint IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(limit)s;

-- name: sum_ledger_by_habit
-- Ledger totals of a person by habit; the row without a habit is for deleted ones.
SELECT habit_id, sum(points)::bigint AS points FROM habit_ledger WHERE owner_id = %(owner_id)s GROUP BY habit_id;

-- name: put_achievement
-- Insert a milestone, or update the day it was reached.
INSERT INTO habit_achievements (habit_id, milestone, reached_on, unlocked_at)
VALUES (%(habit_id)s, %(milestone)s, %(reached_on)s, %(now)s)
ON CONFLICT (habit_id, milestone) DO UPDATE SET reached_on = excluded.reached_on
WHERE habit_achievements.reached_on <> excluded.reached_on;

-- name: delete_achievement
-- Delete a milestone that the log no longer supports.
DELETE FROM habit_achievements WHERE habit_id = %(habit_id)s AND milestone = %(milestone)s;

-- name: list_achievements
-- The milestones a habit has reached.
SELECT milestone, reached_on, unlocked_at FROM habit_achievements WHERE habit_id = %(habit_id)s ORDER BY milestone;

-- name: add_event
-- Insert an event for the handlers.
INSERT INTO habit_events (id, name, owner_id, habit_id, body, created_at)
VALUES (%(id)s, %(name)s, %(owner_id)s, %(habit_id)s, %(body)s, %(now)s);

-- name: find_event
-- One event.
SELECT id, name, owner_id, habit_id, body, created_at FROM habit_events WHERE id = %(id)s;

-- name: add_receipt
-- Record that a handler processed an event; no row if it had done so before.
INSERT INTO habit_receipts (event_id, handler, received_at) VALUES (%(event_id)s, %(handler)s, %(now)s)
ON CONFLICT (event_id, handler) DO NOTHING;

-- name: prune_events
-- Delete old events with their receipts.
DELETE FROM habit_events WHERE created_at < %(before)s;

-- name: list_top_earners
-- The people who earned most in a range of days, with points entered late; ties are sorted by name, then id.
SELECT p.user_id, p.username, p.listed, sum(c.points)::bigint AS points,
    coalesce(sum(c.points) FILTER (WHERE c.late), 0)::bigint AS late_points
FROM habit_completions c JOIN habit_people p ON p.user_id = c.owner_id
WHERE c.day BETWEEN %(first_day)s AND %(last_day)s
    AND (%(group_id)s::text IS NULL OR p.user_id IN (
        SELECT user_id FROM habit_group_members WHERE group_id = %(group_id)s))
GROUP BY p.user_id HAVING sum(c.points) > 0
ORDER BY points DESC, lower(p.username), p.user_id LIMIT %(limit)s;

-- name: sum_late_points
-- The points of people that were entered late.
SELECT owner_id, sum(points)::bigint AS late_points FROM habit_completions
WHERE late AND owner_id = ANY(%(owner_ids)s) GROUP BY owner_id;

-- name: add_group
-- Insert a group.
INSERT INTO habit_groups (id, name, owner_id, created_at) VALUES (%(id)s, %(name)s, %(owner_id)s, %(now)s);

-- name: find_group
-- One group with its number of members.
SELECT g.id, g.name, g.owner_id, g.created_at, count(m.user_id) AS members,
    coalesce(bool_or(m.user_id = %(user_id)s), false) AS joined
FROM habit_groups g LEFT JOIN habit_group_members m ON m.group_id = g.id
WHERE g.id = %(id)s GROUP BY g.id;

-- name: lock_group
-- Lock a group, so that nobody joins or leaves until the transaction ends.
SELECT id FROM habit_groups WHERE id = %(id)s FOR UPDATE;

-- name: list_groups
-- The groups a person is in.
SELECT g.id, g.name, g.owner_id, g.created_at, count(m.user_id) AS members, true AS joined
FROM habit_groups g JOIN habit_group_members m ON m.group_id = g.id
WHERE g.id IN (SELECT group_id FROM habit_group_members WHERE user_id = %(user_id)s)
GROUP BY g.id ORDER BY lower(g.name), g.id;

-- name: join_group
-- Add a member; members stay members.
INSERT INTO habit_group_members (group_id, user_id, joined_at) VALUES (%(id)s, %(user_id)s, %(now)s)
ON CONFLICT (group_id, user_id) DO NOTHING;

-- name: leave_group
-- Remove a member; their points stay.
DELETE FROM habit_group_members WHERE group_id = %(id)s AND user_id = %(user_id)s;

-- name: delete_group
-- Delete a group with its memberships.
DELETE FROM habit_groups WHERE id = %(id)s;

-- name: list_due_reminders
-- Habits that may be due for a reminder: not archived, with a reminder time, and not reminded since a moment.
SELECT h.id, h.owner_id FROM habits h
WHERE h.remind_at IS NOT NULL AND h.archived_on IS NULL AND h.id > %(after)s
    AND NOT EXISTS (SELECT FROM habit_reminders r WHERE r.habit_id = h.id AND r.reminded_at > %(since)s)
ORDER BY h.id LIMIT %(limit)s;

-- name: add_reminder
-- Record a reminder for a day; no row if there was one already.
INSERT INTO habit_reminders (habit_id, day, reminded_at) VALUES (%(habit_id)s, %(day)s, %(now)s)
ON CONFLICT (habit_id, day) DO NOTHING;

-- name: list_all_habits
-- A page of all habits, by id, for the search index.
SELECT * FROM habits WHERE id > %(after)s ORDER BY id LIMIT %(limit)s;

-- name: count_habits
-- How many habits there are.
SELECT count(*) FROM habits;

-- name: count_owned_groups
-- The number of groups that a person made.
SELECT count(*) FROM habit_groups WHERE owner_id = %(owner_id)s;

-- name: hand_over_groups
-- Give the groups that a person made to another, who doesn't join them by that.
UPDATE habit_groups SET owner_id = %(to_id)s WHERE owner_id = %(from_id)s;

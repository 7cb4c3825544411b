-- name: add_person
-- Somebody who keeps habits; known already is fine, and a new name is taken over.
INSERT INTO habit_people (user_id, username, updated_at) VALUES (%(user_id)s, %(username)s, %(now)s)
ON CONFLICT (user_id) DO UPDATE SET username = excluded.username WHERE habit_people.username <> excluded.username;

-- name: add_first_stay
-- The clocks of somebody who has chosen none yet.
INSERT INTO habit_stays (user_id, since, zone, day_start)
SELECT %(user_id)s, %(now)s, %(zone)s, %(day_start)s
WHERE NOT EXISTS (SELECT FROM habit_stays WHERE user_id = %(user_id)s);

-- name: add_stay
-- Other clocks from now on.
INSERT INTO habit_stays (user_id, since, zone, day_start) VALUES (%(user_id)s, %(now)s, %(zone)s, %(day_start)s)
ON CONFLICT (user_id, since) DO UPDATE SET zone = excluded.zone, day_start = excluded.day_start;

-- name: find_person
-- One person's totals and settings.
SELECT user_id, username, listed, weekly_report, points, revision, version, turned_on FROM habit_people
WHERE user_id = %(user_id)s;

-- name: lock_person
-- The same, and nobody else changes this person's log until the transaction ends.
SELECT user_id, username, listed, weekly_report, points, revision, version, turned_on FROM habit_people
WHERE user_id = %(user_id)s FOR UPDATE;

-- name: list_stays
-- The clocks that a person lived by, in order.
SELECT since, zone, day_start FROM habit_stays WHERE user_id = %(user_id)s ORDER BY since;

-- name: list_people
-- Everybody who keeps habits, by id.
SELECT user_id, username, listed, weekly_report, points, revision, version, turned_on FROM habit_people
WHERE user_id > %(after)s ORDER BY user_id LIMIT %(limit)s;

-- name: update_person
-- A person's settings.
UPDATE habit_people SET
    listed = %(listed)s, weekly_report = %(weekly_report)s, version = version + 1, revision = revision + 1,
    updated_at = %(now)s
WHERE user_id = %(user_id)s;

-- name: delete_person
-- Their clocks and days off go with them; their habits must be gone.
DELETE FROM habit_people WHERE user_id = %(user_id)s;

-- name: delete_ledger
-- The points of somebody who is forgotten.
DELETE FROM habit_ledger WHERE owner_id = %(user_id)s;

-- name: leave_every_group
-- Take part nowhere any more.
DELETE FROM habit_group_members WHERE user_id = %(user_id)s;

-- name: add_points
-- What a change of the log adds to a person's sum or takes from it.
UPDATE habit_people SET points = points + %(points)s, revision = revision + 1, updated_at = %(now)s
WHERE user_id = %(user_id)s;

-- name: set_points
-- The sum as the log has it.
UPDATE habit_people SET points = %(points)s, revision = revision + 1, updated_at = %(now)s WHERE user_id = %(user_id)s;

-- name: list_to_turn
-- Whose next day has begun on their own clocks, or who has none worked out yet.
SELECT user_id FROM habit_people
WHERE (turns_at IS NULL OR turns_at <= %(now)s) AND user_id > %(after)s ORDER BY user_id LIMIT %(limit)s;

-- name: mark_turned
-- The last day whose beginning was dealt with, and when the next one begins.
UPDATE habit_people SET turned_on = %(day)s, turns_at = %(next)s WHERE user_id = %(user_id)s;

-- name: forget_turn
-- On other clocks the next day begins at another moment.
UPDATE habit_people SET turns_at = NULL WHERE user_id = %(user_id)s;

-- name: list_to_report
-- Who may be owed a report: they want one, and their last is from another week.
SELECT user_id FROM habit_people
WHERE weekly_report AND user_id > %(after)s AND (reported_on IS NULL OR reported_on < %(since)s)
ORDER BY user_id LIMIT %(limit)s;

-- name: mark_reported
-- The report of a Monday is written; a second time touches no row, nor does one for somebody who wants none any more.
UPDATE habit_people SET reported_on = %(monday)s
WHERE user_id = %(user_id)s AND weekly_report AND (reported_on IS NULL OR reported_on < %(monday)s);

-- name: insert_habit
-- A new habit, at the end of its owner's list unless it has a place.
INSERT INTO habits (
    id, owner_id, name, description, tags, habit_group, position, remind_at, archived_on, extras,
    created_at, updated_at
) VALUES (
    %(id)s, %(owner_id)s, %(name)s, %(description)s, %(tags)s, %(group)s,
    coalesce(%(position)s, (SELECT coalesce(max(position), 0) + 1 FROM habits WHERE owner_id = %(owner_id)s)),
    %(remind_at)s, %(archived_on)s, %(extras)s, %(now)s, %(now)s
);

-- name: put_rule
-- What counts from a day on.
INSERT INTO habit_rules (habit_id, since, schedule, goal) VALUES (%(habit_id)s, %(since)s, %(schedule)s, %(goal)s)
ON CONFLICT (habit_id, since) DO UPDATE SET schedule = excluded.schedule, goal = excluded.goal;

-- name: delete_rules
-- All rules of a habit, to be written anew.
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
-- The fields that an owner edits.
UPDATE habits SET
    name = %(name)s, description = %(description)s, tags = %(tags)s, habit_group = %(group)s, position = %(position)s,
    remind_at = %(remind_at)s, archived_on = %(archived_on)s, version = version + 1, updated_at = %(now)s
WHERE id = %(id)s;

-- name: raise_version
-- An edit that was made elsewhere, such as to the rules.
UPDATE habits SET version = version + 1, updated_at = %(now)s WHERE id = %(id)s;

-- name: update_standing
-- What follows from the log.
UPDATE habits SET
    revision = revision + 1, points = %(points)s, current_streak = %(current_streak)s, best_streak = %(best_streak)s,
    strength = %(strength)s, last_completed = %(last_completed)s, stands_until = %(stands_until)s
WHERE id = %(id)s;

-- name: delete_habit
-- A habit with its rules, log, notes and badges.
DELETE FROM habits WHERE id = %(id)s;

-- name: put_completion
-- What was entered for a day. The same again changes nothing, and says so by touching no row. An entry that earned
-- nothing until it was changed late is a late one.
INSERT INTO habit_completions (habit_id, day, owner_id, amount, late, recorded_at)
VALUES (%(habit_id)s, %(day)s, %(owner_id)s, %(amount)s, %(late)s, %(now)s)
ON CONFLICT (habit_id, day) DO UPDATE SET amount = excluded.amount,
    late = habit_completions.late OR (excluded.late AND habit_completions.points = 0)
WHERE habit_completions.amount <> excluded.amount;

-- name: put_completions
-- What was entered for many days at once; days that have an entry keep it.
INSERT INTO habit_completions (habit_id, day, owner_id, amount, late, recorded_at)
SELECT %(habit_id)s, day, %(owner_id)s, amount, true, %(now)s
FROM unnest(%(days)s::date[], %(amounts)s::numeric[]) AS entered (day, amount)
ON CONFLICT (habit_id, day) DO NOTHING;

-- name: delete_completion
-- Take an entry back.
DELETE FROM habit_completions WHERE habit_id = %(habit_id)s AND day = %(day)s RETURNING points;

-- name: list_completions
-- All entries of habits, in order of their days; there is no limit to how far a streak reaches back.
SELECT habit_id, day, amount, points, late, recorded_at FROM habit_completions
WHERE habit_id = ANY(%(habit_ids)s) ORDER BY habit_id, day;

-- name: set_completion_points
-- What days have earned, many at once.
UPDATE habit_completions SET points = earned.points
FROM unnest(%(days)s::date[], %(points)s::integer[]) AS earned (day, points)
WHERE habit_completions.habit_id = %(habit_id)s AND habit_completions.day = earned.day;

-- name: put_skips
-- Days to be left out; known already is fine.
INSERT INTO habit_skips (habit_id, day, recorded_at)
SELECT %(habit_id)s, day, %(now)s FROM unnest(%(days)s::date[]) AS skipped (day)
ON CONFLICT (habit_id, day) DO NOTHING;

-- name: delete_skip
-- Ask for a day again.
DELETE FROM habit_skips WHERE habit_id = %(habit_id)s AND day = %(day)s;

-- name: list_skips
-- The days of habits that were skipped.
SELECT habit_id, day FROM habit_skips WHERE habit_id = ANY(%(habit_ids)s) ORDER BY habit_id, day;

-- name: put_note
-- What somebody wrote about a day; the later words replace the earlier.
INSERT INTO habit_notes (habit_id, day, note, updated_at) VALUES (%(habit_id)s, %(day)s, %(note)s, %(now)s)
ON CONFLICT (habit_id, day) DO UPDATE SET note = excluded.note, updated_at = excluded.updated_at;

-- name: delete_note
-- Forget what was written about a day.
DELETE FROM habit_notes WHERE habit_id = %(habit_id)s AND day = %(day)s;

-- name: list_notes
-- What was written about days.
SELECT day, note FROM habit_notes WHERE habit_id = %(habit_id)s ORDER BY day;

-- name: add_vacation
-- Days off, known already is fine.
INSERT INTO habit_vacations (id, owner_id, first_day, last_day)
VALUES (%(id)s, %(owner_id)s, %(first_day)s, %(last_day)s)
ON CONFLICT ON CONSTRAINT habit_vacations_are_told_once DO NOTHING;

-- name: list_vacations
-- A person's days off, in order.
SELECT id, first_day, last_day FROM habit_vacations WHERE owner_id = %(owner_id)s ORDER BY first_day, last_day;

-- name: delete_vacation
-- Days off that are none any more.
DELETE FROM habit_vacations WHERE id = %(id)s AND owner_id = %(owner_id)s;

-- name: add_rest_day
-- A day of rest from all habits.
INSERT INTO habit_rest_days (owner_id, day) VALUES (%(owner_id)s, %(day)s) ON CONFLICT (owner_id, day) DO NOTHING;

-- name: list_rest_days
-- A person's days of rest.
SELECT day FROM habit_rest_days WHERE owner_id = %(owner_id)s ORDER BY day;

-- name: delete_rest_day
-- A day of rest that is none any more.
DELETE FROM habit_rest_days WHERE owner_id = %(owner_id)s AND day = %(day)s;

-- name: add_ledger_lines
-- Changes of points with their reasons, many at once.
INSERT INTO habit_ledger (owner_id, habit_id, habit_name, day, points, reason, event_id, recorded_at)
SELECT %(owner_id)s, %(habit_id)s, %(habit_name)s, day, points, reason, %(event_id)s, %(now)s
FROM unnest(%(days)s::date[], %(points)s::integer[], %(reasons)s::text[]) AS changed (day, points, reason);

-- name: list_ledger
-- One page of a person's ledger, newest first.
SELECT id, habit_id, habit_name, day, points, reason, recorded_at FROM habit_ledger
WHERE owner_id = %(owner_id)s AND (%(habit_id)s::text IS NULL OR habit_id = %(habit_id)s)
    AND (%(before)s::bigint IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(limit)s;

-- name: ledger_sums
-- What the ledger adds up to, for each of a person's habits; the row without a habit is for those that are gone.
SELECT habit_id, sum(points)::bigint AS points FROM habit_ledger WHERE owner_id = %(owner_id)s GROUP BY habit_id;

-- name: put_achievement
-- A streak that was long enough; known already is fine.
INSERT INTO habit_achievements (habit_id, milestone, reached_on, unlocked_at)
VALUES (%(habit_id)s, %(milestone)s, %(reached_on)s, %(now)s)
ON CONFLICT (habit_id, milestone) DO UPDATE SET reached_on = excluded.reached_on
WHERE habit_achievements.reached_on <> excluded.reached_on;

-- name: delete_achievement
-- A streak that was not long enough after all.
DELETE FROM habit_achievements WHERE habit_id = %(habit_id)s AND milestone = %(milestone)s;

-- name: list_achievements
-- What a habit has achieved.
SELECT milestone, reached_on, unlocked_at FROM habit_achievements WHERE habit_id = %(habit_id)s ORDER BY milestone;

-- name: add_event
-- Something happened that handlers are told of.
INSERT INTO habit_events (id, name, owner_id, habit_id, body, created_at)
VALUES (%(id)s, %(name)s, %(owner_id)s, %(habit_id)s, %(body)s, %(now)s);

-- name: find_event
-- One event.
SELECT id, name, owner_id, habit_id, body, created_at FROM habit_events WHERE id = %(id)s;

-- name: add_receipt
-- A handler has dealt with an event; a second time touches no row.
INSERT INTO habit_receipts (event_id, handler, received_at) VALUES (%(event_id)s, %(handler)s, %(now)s)
ON CONFLICT (event_id, handler) DO NOTHING;

-- name: prune_events
-- Forget old events with their receipts.
DELETE FROM habit_events WHERE created_at < %(before)s;

-- name: board
-- Who earned most in some days, with what was entered late; equal points are ordered by name, then by id.
SELECT p.user_id, p.username, p.listed, sum(c.points)::bigint AS points,
    coalesce(sum(c.points) FILTER (WHERE c.late), 0)::bigint AS late_points
FROM habit_completions c JOIN habit_people p ON p.user_id = c.owner_id
WHERE c.day BETWEEN %(first_day)s AND %(last_day)s
    AND (%(group_id)s::text IS NULL OR p.user_id IN (
        SELECT user_id FROM habit_group_members WHERE group_id = %(group_id)s))
GROUP BY p.user_id HAVING sum(c.points) > 0
ORDER BY points DESC, lower(p.username), p.user_id LIMIT %(limit)s;

-- name: late_points
-- Of everything that people have earned, what was entered late.
SELECT owner_id, sum(points)::bigint AS late_points FROM habit_completions
WHERE late AND owner_id = ANY(%(owner_ids)s) GROUP BY owner_id;

-- name: add_group
-- People who compare themselves with each other.
INSERT INTO habit_groups (id, name, owner_id, created_at) VALUES (%(id)s, %(name)s, %(owner_id)s, %(now)s);

-- name: find_group
-- One group.
SELECT g.id, g.name, g.owner_id, g.created_at, count(m.user_id) AS members,
    coalesce(bool_or(m.user_id = %(user_id)s), false) AS joined
FROM habit_groups g LEFT JOIN habit_group_members m ON m.group_id = g.id
WHERE g.id = %(id)s GROUP BY g.id;

-- name: lock_group
-- Nobody joins it and nobody is the last to leave it until the transaction ends.
SELECT id FROM habit_groups WHERE id = %(id)s FOR UPDATE;

-- name: list_groups
-- The groups that somebody is in.
SELECT g.id, g.name, g.owner_id, g.created_at, count(m.user_id) AS members, true AS joined
FROM habit_groups g JOIN habit_group_members m ON m.group_id = g.id
WHERE g.id IN (SELECT group_id FROM habit_group_members WHERE user_id = %(user_id)s)
GROUP BY g.id ORDER BY lower(g.name), g.id;

-- name: join_group
-- Take part; taking part already is fine.
INSERT INTO habit_group_members (group_id, user_id, joined_at) VALUES (%(id)s, %(user_id)s, %(now)s)
ON CONFLICT (group_id, user_id) DO NOTHING;

-- name: leave_group
-- Take part no more; nothing that was earned is touched.
DELETE FROM habit_group_members WHERE group_id = %(id)s AND user_id = %(user_id)s;

-- name: delete_group
-- A group with its memberships.
DELETE FROM habit_groups WHERE id = %(id)s;

-- name: list_to_remind
-- Habits that may be due for a reminder: those with a time for one, of people whose habits are not archived.
SELECT h.id, h.owner_id FROM habits h
WHERE h.remind_at IS NOT NULL AND h.archived_on IS NULL AND h.id > %(after)s
    AND NOT EXISTS (SELECT FROM habit_reminders r WHERE r.habit_id = h.id AND r.reminded_at > %(since)s)
ORDER BY h.id LIMIT %(limit)s;

-- name: add_reminder
-- A habit's reminder of a day; a second one touches no row.
INSERT INTO habit_reminders (habit_id, day, reminded_at) VALUES (%(habit_id)s, %(day)s, %(now)s)
ON CONFLICT (habit_id, day) DO NOTHING;

-- name: list_indexed
-- Habits as search knows them, by id.
SELECT * FROM habits WHERE id > %(after)s ORDER BY id LIMIT %(limit)s;

-- name: count_habits
-- How many habits there are.
SELECT count(*) FROM habits;

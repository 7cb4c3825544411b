"""The habits document's access patterns: the dashboard, a streak, points and the leaderboard, shards or none."""

import pytest

from almanac.desks.habits.store.table import Achievement, Dashboard, Streak, UserStats


@pytest.fixture
def stored(open_table):
    return open_table("habits")


def test_the_dashboard_is_one_query(stored, costs):
    result = costs(stored, lambda: stored.db.collect(Dashboard, user_id="123"), rcu=0.5)
    assert result.stats.total_points == 150
    assert {streak.habit_id: streak.current_streak for streak in result.streaks} == {"gym": 7, "reading": 2}
    assert [achievement.type for achievement in result.achievements] == ["streak_7"]


def test_a_streak_is_updated_alone(stored, costs):
    ref = Streak.key(user_id="123", habit_id="gym")
    changed = costs(stored, lambda: stored.db.patch(ref, Streak.current_streak.add(1)), wcu=1)
    assert changed.current_streak == 8


def test_points_move_a_person_on_the_leaderboard(stored, costs):
    for number in range(20):
        stored.db.create(UserStats(user_id=f"u{number}", username=f"User {number}", total_points=10 * number))
    query = UserStats.top()
    partitions = len(stored.db.explain(query).requests)
    result = costs(stored, lambda: stored.db.query(query), rcu=0.5 * (partitions + 2))
    assert [stats.total_points for stats in result] == [190, 180, 170, 160, 150, 150, 140, 130, 120, 110]
    costs(stored, lambda: stored.db.patch(UserStats.key(user_id="u0"), UserStats.total_points.add(500)), wcu=4)
    assert stored.db.first(UserStats.top()).username == "User 0"


def test_points_are_added_once_per_event(stored):
    ref = UserStats.key(user_id="123")
    for _ in range(3):
        stored.db.patch(ref, UserStats.total_points.add(10), once="completion-1")
    assert stored.db.require(ref).total_points == 160


def test_a_second_habits_badge_does_not_replace_the_first(stored):
    for habit in ("gym", "reading"):
        stored.db.create(Achievement(user_id="123", type=f"streak_7:{habit}", description="Seven days"))
    result = stored.db.query(Achievement.of_user(user_id="123"))
    assert [achievement.type for achievement in result] == ["streak_7", "streak_7:gym", "streak_7:reading"]


def test_a_persons_streaks_are_listed_without_the_rest(stored, costs):
    result = costs(stored, lambda: stored.db.query(Streak.of_user(user_id="123")), rcu=0.5)
    assert [streak.habit_id for streak in result] == ["gym", "reading"]


def test_an_unspread_leaderboard_is_found_by_programs_that_follow_the_document(stored):
    stored.db.create(UserStats(user_id="9", username="bob", total_points=7))
    listed = stored.query(
        IndexName="GSI_Leaderboard",
        KeyConditionExpression="EntityType = :user",
        ScanIndexForward=False,
        ExpressionAttributeValues={":user": {"S": "USER"}},
    )
    assert [item["username"]["S"] for item in listed] == (["ada"] if stored.db.context.spread else ["ada", "bob"])

"""Schedules are described in plain words."""

import pytest

from almanac.jobs.cron_words import describe_cron
from almanac.kit.messages import translate


@pytest.mark.parametrize(
    ("cron", "words"),
    [
        ("* * * * *", "Every minute"),
        ("*/15 * * * *", "Every 15 minutes"),
        ("0 * * * *", "Every hour"),
        ("7 * * * *", "Every hour at minute 7"),
        ("0 */6 * * *", "Every 6 hours"),
        ("40 3 * * *", "Every day at 03:40"),
        ("30 6 * * 1-5", "Monday to Friday at 06:30"),
        ("30 6 * * mon,WED,0", "Monday, Wednesday, Sunday at 06:30"),
        ("0 8 * * 0-6", "0 8 * * 0-6"),
        ("0 8 1 * *", "On day 1 of each month at 08:00"),
        ("0 8 1 3 *", "0 8 1 3 *"),
        ("0 8 * * 9", "0 8 * * 9"),
        ("0 8 * * 1#2", "0 8 * * 1#2"),
        ("by the moon", "by the moon"),
    ],
)
def test_the_usual_lines_are_told_in_words_and_the_others_as_they_are(cron, words):
    assert describe_cron(cron) == words


def test_words_are_in_the_readers_language():
    assert translate(describe_cron("30 6 * * 1"), "de") == "Montag um 06:30"

"""Schedules are described in plain words."""

import pytest

from almanac.web.labels import describe_cron


@pytest.mark.parametrize(
    ("cron", "words"),
    [
        ("* * * * *", "Every minute"),
        ("*/15 * * * *", "Every 15 minutes"),
        ("7 * * * *", "Every hour at minute 7"),
        ("40 3 * * *", "Every day at 03:40"),
        ("30 6 * * 1-5", "30 6 * * 1-5"),
        ("0 */6 * * *", "0 */6 * * *"),
    ],
)
def test_the_usual_lines_are_told_in_words_and_the_others_as_they_are(cron, words):
    assert describe_cron(cron) == words

"""Names of tasks and schedules are unique, and a schedule that could never run is refused when it is declared."""

from typing import Any

import pytest

from almanac.errors import InputError
from almanac.jobs import JobRegistry, JobType, RunningJob, Schedule


async def nothing(job: RunningJob[Any]) -> None:
    pass


def test_two_tasks_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Two job types are named test\.one"):
        JobRegistry([JobType("test.one", nothing), JobType("test.one", nothing, queue="other")])


def test_two_schedules_of_one_name_are_refused() -> None:
    task = JobType("test.one", nothing)
    with pytest.raises(ValueError, match=r"Two schedules are named test\.daily"):
        JobRegistry(schedules=[Schedule("test.daily", task, "0 1 * * *"), Schedule("test.daily", task, "0 2 * * *")])


def test_a_schedule_brings_its_task() -> None:
    registry = JobRegistry(schedules=[Schedule("test.daily", JobType("test.one", nothing), "0 1 * * *")])
    assert set(registry.job_types) == {"test.one"}


def test_a_schedule_that_means_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="isn't a cron line"):
        JobRegistry(schedules=[Schedule("test.daily", JobType("test.one", nothing), "sometimes")])


def test_a_lock_may_name_arguments() -> None:
    assert JobType("test.one", nothing, lock="link:{link_id}").lock_for({"link_id": 7}) == "link:7"


def test_words_are_looked_for_in_names_and_titles_whatever_their_case() -> None:
    registry = JobRegistry([JobType("news.read", nothing, title="Reading the news"), JobType("mail.send", nothing)])
    assert registry.has_job_named("READING THE")
    assert registry.has_job_named("mail.")
    assert not registry.has_job_named("harvest")

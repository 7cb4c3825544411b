"""A job that has something written: by extraction, by a model over HTTP, and paused when the month's cap is used up."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from almanac.bootstrap import open_services as running
from almanac.config import Settings
from almanac.doctor import run_checks
from almanac.jobs import JobRetryPolicy, JobType, RunningJob
from almanac.jobs.worker import Worker
from almanac.kit.clock import FixedClock
from almanac.llm.sources import StepSource
from almanac.llm.steps.summaries import SUMMARY, SummaryInput
from almanac.services import Services

TEXT = "The council approved the new bridge on Monday. It will cost 4.2 million dollars. Work begins in May."
SPENT_BY_ONE = {"llm_monthly_cap": Decimal("0.001"), "llm_prices": "tiny=10/100"}
written: list[str] = []


async def _sum_up(job: RunningJob[Services], text: str) -> None:
    given = SummaryInput(sources=(StepSource(id="link-1", text=text),), sentences=1)
    summary = await job.services.writer.write(SUMMARY, given, desk="news", subject="link-1")
    written.append(" ".join(sentence.text for sentence in summary.output.sentences))


SUM_UP = JobType("test.sum_up", _sum_up, retry=JobRetryPolicy(attempts=1))


@pytest.fixture
def clock() -> FixedClock:
    """Far ahead, so that what waits for next month waits for the database too, which has a clock of its own."""
    return FixedClock(datetime(2100, 3, 15, tzinfo=UTC))


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    written.clear()
    return Settings(data=tmp_path / "data", database_url=database_url, mail_url="memory:")


@pytest.fixture
def by_model(settings: Settings, model_server) -> Settings:
    answer = {"sentences": [{"text": "The council approved the new bridge.", "references": ["s1.1"]}]}
    model_server.reply = model_server.says(answer)
    return replace(settings, llm_model="tiny", llm_base_url=model_server.url)


@pytest.fixture
def open_services(clock: FixedClock) -> Callable[..., object]:
    """A running installation that knows the task of these tests."""

    @asynccontextmanager
    async def opened(settings: Settings) -> AsyncIterator[Services]:
        async with running(settings, clock) as services:
            services.jobs.registry.add(SUM_UP)
            yield services

    return opened


async def run(services: Services, text: str = TEXT) -> int:
    job_id = await services.jobs.defer(SUM_UP, {"text": text})
    await Worker(services.jobs, services).drain()
    return job_id


async def test_without_a_model_the_summary_is_a_sentence_of_the_source(open_services, settings) -> None:
    async with open_services(settings) as services:
        await run(services)

    assert written
    assert written[0] in TEXT


async def test_with_a_model_it_is_what_the_model_wrote(open_services, by_model) -> None:
    async with open_services(by_model) as services:
        await run(services)
        month = await services.models.month()

    assert written == ["The council approved the new bridge."]
    assert [(line.desk, line.step, line.model) for line in month.steps] == [("news", "summary", "openai:tiny")]


async def test_a_used_up_cap_pauses_the_job_until_a_start_with_a_higher_one(open_services, by_model) -> None:
    async with open_services(replace(by_model, **SPENT_BY_ONE)) as services:
        await run(services)
        job_id = await run(services, "Another text.")
        paused = (await services.jobs.job(job_id)).job
        models = next(finding for finding in await run_checks(services) if finding.name == "models")

    assert (paused.status, paused.not_before) == ("queued", datetime(2100, 4, 1, tzinfo=UTC))
    assert "waits until 1 April 2100" in (paused.reason or "")
    assert not models.well

    async with open_services(by_model) as services:
        worker = Worker(services.jobs, services)
        async with asyncio.TaskGroup() as group, aclosing(services.jobs.watch(job_id)) as changes:
            group.create_task(worker.run())
            async for view in changes:
                if view.status.final:
                    worker.stop()
                    break

    assert view.status == "succeeded"
    assert len(written) == 2


async def test_answers_that_nobody_has_used_for_a_year_are_forgotten(open_services, by_model, model_server) -> None:
    async with open_services(by_model) as services:
        await run(services)
        services.clock.advance(days=366)
        await services.jobs.run_schedule("models.forget")
        await Worker(services.jobs, services).drain()
        await run(services)

    assert len(model_server.asked) == 2

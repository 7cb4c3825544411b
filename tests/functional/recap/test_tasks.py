"""Tasks: a sitting is collected once, written by one, continued after a crash, and made again when it must be."""

import asyncio
import hashlib
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.pipeline import make
from almanac.desks.recap.pipeline.make import MakeResult, TaskPackStore, make_article
from almanac.desks.recap.service import articles, tasks
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store import tasks as store
from almanac.desks.recap.store.table import Task
from almanac.desks.recap.writer.packs import plan_packs
from almanac.errors import Conflict, InputError, NotFound, Unavailable
from almanac.jobs import JobCancelled
from almanac.llm.errors import BudgetUsedUp

LONG = tuple(
    f"○青木春子君　{number}番目の論点について申し上げます。" + "予算の説明を求めます。" * 30 for number in range(40)
)


def pk_of(sitting):
    identity = f"session=221|house=shugi|issueID={sitting['issueID']}"
    return hashlib.sha256(identity.encode()).hexdigest()


async def nobody_listens(_done, _total, _doing):
    return


class Writer:
    """The real writer, which can be told to fail first; it counts what it is asked for."""

    def __init__(self, real, *failures):
        self.real, self.failures, self.asked = real, list(failures), []

    async def write(self, step, given, **names):
        self.asked.append(step.name)
        if self.failures and (failure := self.failures.pop(0)) is not None:
            raise failure
        return await self.real.write(step, given, **names)


def with_writer(services, *failures):
    writer = Writer(services.writer, *failures)
    return replace(services, writer=writer), writer


@pytest.fixture
async def waiting(desk, sitting):
    """Collects a sitting and leaves it waiting."""

    async def collected(number, **options):
        record = sitting(number, **options)
        desk.diet.sittings = [record]
        await desk.collect()
        return record

    yield collected
    await desk.work()


async def task_of(services, sitting):
    return await store.get_task(services.tables, pk_of(sitting))


async def test_the_key_is_the_hash_of_session_canonical_house_and_issue(services, waiting):
    record = await waiting(1)
    task = await task_of(services, record)
    assert (task.status, task.meeting["issueID"], task.meeting["numberOfSpeeches"]) == (
        "ingested",
        record["issueID"],
        3,
    )
    assert task.raw_url.startswith("recap/records/")


async def test_a_sitting_that_is_collected_again_is_one_task_and_is_not_written_again(desk, services, waiting):
    record = await waiting(2)
    assert (await desk.work()).completed == 1
    again = await desk.collect()
    assert (again.new, again.changed, again.same) == (0, 0, 1)
    assert (await desk.work()).completed == 0
    assert (await task_of(services, record)).status == "completed"


async def test_a_changed_official_record_is_ingested_again_and_makes_a_new_version(desk, services, waiting):
    record = await waiting(3)
    await desk.work()
    record["speechRecord"][2]["speech"] = "○石田健君　訂正してお答えします。予算は四億円であります。"
    assert (await desk.collect()).changed == 1
    assert (await task_of(services, record)).status == "remake"
    await desk.work()
    versions = await articles.list_versions(services, record["issueID"])
    assert [version.number for version in versions] == [2, 1]
    assert versions[0].reason == "The official record was changed."
    differences = await articles.compare_versions(services, record["issueID"], 1, 2)
    assert [record.part for record in differences if record.kind == "added" and "4億円" in record.text]
    assert [record.part for record in differences if record.kind == "removed" and "3億円" in record.text]
    assert differences[-1].part == "record"


async def test_of_two_batch_runs_on_one_task_one_wins(desk, services, waiting):
    record = await waiting(4)
    await make.queue_waiting_tasks(services)
    first = await store.claim_next_task(services.tables, "run 1")
    assert await store.claim_next_task(services.tables, "run 2") is None
    both = await asyncio.gather(desk.work("run 2"), desk.work("run 3"))
    assert [made.completed for made in both] == [0, 0]
    made = MakeResult()
    await make_article(services, first, made, nobody_listens)
    assert made.completed == 1
    assert (await task_of(services, record)).status == "completed"


async def test_many_runs_at_once_write_each_sitting_once(desk, services, sitting):
    desk.diet.sittings = [sitting(number) for number in range(50, 58)]
    await desk.collect()
    made = await asyncio.gather(*(desk.work(f"run {number}") for number in range(3)))
    assert sum(record.completed for record in made) == 8
    for record in desk.diet.sittings:
        assert len(await articles.list_versions(services, record["issueID"])) == 1


async def test_a_holder_whose_lease_ran_out_writes_nothing_more(services, waiting):
    record = await waiting(5)
    await make.queue_waiting_tasks(services)
    first = await store.claim_next_task(services.tables, "run 1")
    services.clock.advance(hours=1)
    second = await store.claim_next_task(services.tables, "run 2")
    made = MakeResult()
    await make_article(services, second, made, nobody_listens)
    await make_article(services, first, made, nobody_listens)
    assert (made.completed, made.failed, made.postponed) == (1, 0, 0)
    assert (await task_of(services, record)).status == "completed"


@pytest.mark.parametrize("failure", [InputError("This can't be written."), Unavailable("Nobody answers.")])
async def test_a_holder_who_fails_after_the_lease_ran_out_leaves_the_task_to_the_next(services, waiting, failure):
    record = await waiting(13 if isinstance(failure, InputError) else 14)
    await make.queue_waiting_tasks(services)
    first = await store.claim_next_task(services.tables, "run 1")

    class Slow(Writer):
        async def write(self, step, given, **names):
            services.clock.advance(hours=1)
            self.second = await store.claim_next_task(services.tables, "run 2")
            return await super().write(step, given, **names)

    slow, made = Slow(services.writer, failure), MakeResult()
    await make_article(replace(services, writer=slow), first, made, nobody_listens)
    assert (made.completed, made.failed, made.postponed) == (0, 0, 0)
    assert (await task_of(services, record)).status == "pending"
    await make_article(services, slow.second, made, nobody_listens)
    assert (await task_of(services, record)).status == "completed"


async def test_a_crash_repeats_no_finished_pack(services, waiting):
    record = await waiting(6, texts=LONG)
    await make.queue_waiting_tasks(services)
    claim = await store.claim_next_task(services.tables, "run 1")
    meeting = parse_meeting(record)
    pack_store = TaskPackStore(services, claim, meeting, nobody_listens)
    plan = plan_packs(meeting, 3000)
    assert len(plan.packs) > 2
    await pack_store.start_plan(plan)
    await pack_store.save_result(plan.packs[0], "first", b"{}")
    task = await task_of(services, record)
    assert (task.processing_mode, len(task.chunks)) == ("chunked", len(plan.packs))
    assert [chunk["status"] for chunk in task.chunks][:2] == ["completed", "pending"]
    after_the_crash = TaskPackStore(services, claim, meeting, nobody_listens)
    await after_the_crash.start_plan(plan)
    assert await after_the_crash.find_result(plan.packs[0], "first") == b"{}"
    assert await after_the_crash.find_result(plan.packs[1], "second") is None
    assert [chunk["status"] for chunk in (await task_of(services, record)).chunks][:2] == ["completed", "pending"]
    await services.tables.release(after_the_crash.claim)


async def test_a_sitting_too_long_for_one_prompt_is_written_in_chunks_that_lose_nothing(desk, services, waiting):
    record = await waiting(12, texts=LONG * 2)
    assert (await desk.work()).completed == 1
    task = await task_of(services, record)
    assert (task.processing_mode, task.status) == ("chunked", "completed")
    orders = [order for chunk in task.chunks for order in chunk["based_on_orders"]]
    assert orders == list(range(len(LONG) * 2 + 1))
    for chunk in task.chunks:
        assert chunk["status"] == "completed"
        assert await services.objects.get(chunk["prompt_url"])
        assert await services.objects.get(chunk["result_url"])
    recap = (await articles.open_article(services, record["issueID"])).recap
    assert [dialog.order for dialog in recap.dialogs] == orders
    assert recap.keywords


async def test_a_chunked_task_without_chunks_is_never_completed(services, waiting):
    record = await waiting(7)
    await make.queue_waiting_tasks(services)
    claim = await store.claim_next_task(services.tables, "run 1")
    await services.tables.patch(Task.key(pk=pk_of(record)), processing_mode="chunked", chunks=[])
    finished = {"result_url": "x", "article_id": "x", "written_digest": "x"}
    with pytest.raises(Conflict, match="never written"):
        await store.complete_task(services.tables, claim, **finished)
    unfinished = [{"prompt_url": "p", "status": "pending"}]
    await services.tables.patch(Task.key(pk=pk_of(record)), chunks=unfinished)
    with pytest.raises(Conflict, match="never written"):
        await store.complete_task(services.tables, claim, **finished)
    assert (await task_of(services, record)).status == "pending"
    await services.tables.release(claim)


async def test_a_passing_fault_is_tried_again_later_with_growing_patience(services, waiting):
    record = await waiting(8)
    faulty, _ = with_writer(services, Unavailable("The model doesn't answer."), Unavailable("Still not."))
    assert (await make.make_articles(faulty, "run", report=nobody_listens)).postponed == 1
    task = await task_of(services, record)
    assert (task.status, task.retry_attempts, task.error) == ("pending", 1, "The model doesn't answer.")
    services.clock.advance(seconds=61)
    assert (await make.make_articles(faulty, "run", report=nobody_listens)).postponed == 1
    services.clock.advance(seconds=61)
    assert (await make.make_articles(faulty, "run", report=nobody_listens)).completed == 0
    services.clock.advance(seconds=180)
    assert (await make.make_articles(faulty, "run", report=nobody_listens)).completed == 1


async def test_a_pause_uses_up_no_attempt_and_ends_when_it_is_over(services, waiting):
    record, other = await waiting(21), await waiting(22)
    until = services.clock.now() + timedelta(days=20)
    paused, writer = with_writer(services, *[BudgetUsedUp(Decimal(5), Decimal(5), until)] * 7)
    for run in range(7):
        made = await make.make_articles(paused, "run", report=nobody_listens)
        assert (made.completed, made.failed, made.postponed) == (0, 0, 1)
        assert len(writer.asked) == run + 1
        services.clock.advance(minutes=5)
    tasks = [await task_of(services, sitting) for sitting in (record, other)]
    assert [(task.status, task.retry_attempts) for task in tasks] == [("pending", 0)] * 2
    (reason,) = {task.error for task in tasks if task.error}
    assert "ALMANAC_LLM_MONTHLY_CAP" in reason
    assert (await make.make_articles(services, "run", report=nobody_listens)).completed == 2


async def test_a_job_that_is_stopped_uses_up_no_attempt(services, waiting):
    record = await waiting(23)
    stopped, _ = with_writer(services, JobCancelled())
    with pytest.raises(JobCancelled):
        await make.make_articles(stopped, "run", report=nobody_listens)
    task = await task_of(services, record)
    assert (task.status, task.retry_attempts, task.error) == ("pending", 0, "The job was stopped.")


async def test_a_fault_for_good_is_kept_with_the_task_until_a_person_retries_it(services, waiting):
    record = await waiting(9)
    faulty, _ = with_writer(services, InputError("This can't be written."))
    assert (await make.make_articles(faulty, "run", report=nobody_listens)).failed == 1
    task = await tasks.get_task(services, pk_of(record))
    assert (task.status, task.error) == ("failed", "This can't be written.")
    with pytest.raises(Conflict, match="Only a finished task"):
        await tasks.remake_task(services, CONSOLE, task.pk)
    assert (await tasks.retry_task(services, CONSOLE, task.pk)).status == "ingested"
    assert (await make.make_articles(services, "run", report=nobody_listens)).completed == 1
    with pytest.raises(Conflict, match="Only a failed task"):
        await tasks.retry_task(services, CONSOLE, task.pk)
    with pytest.raises(NotFound):
        await tasks.retry_task(services, CONSOLE, "0" * 64)


async def test_a_record_that_changes_while_it_is_written_about_is_written_about_again(desk, services, waiting):
    record = await waiting(10)
    await make.queue_waiting_tasks(services)
    claim = await store.claim_next_task(services.tables, "run 1")
    record["speechRecord"][1]["speech"] = "○青木春子君　質問を改めます。図書館整備法案の予算は二億円ですか。"
    await desk.collect()
    await make_article(services, claim, MakeResult(), nobody_listens)
    assert (await task_of(services, record)).status == "remake"
    assert (await desk.work()).completed == 1
    assert (await task_of(services, record)).written_digest == parse_meeting(record).digest


async def test_a_major_prompt_version_makes_articles_anew_and_a_minor_one_does_not(
    desk, services, waiting, monkeypatch
):
    record = await waiting(11)
    await desk.work()
    present = (await task_of(services, record)).prompt_version
    whole, _, part = present.partition(".")
    monkeypatch.setattr(make, "PROMPT_VERSION", f"{whole}.{int(part) + 1}")
    assert await make.remake_outdated_articles(services) == 0
    monkeypatch.setattr(make, "PROMPT_VERSION", f"{int(whole) + 1}.0")
    assert await make.remake_outdated_articles(services) >= 1
    assert (await task_of(services, record)).status == "remake"


async def test_retry_attempts_count_retries_and_not_the_first_attempt(services, waiting):
    record, other = await waiting(41), await waiting(42)
    faulty, _ = with_writer(services, Unavailable("No answer."), Unavailable("No answer."))
    first = await make.make_articles(faulty, "run", report=nobody_listens)
    assert (first.completed, first.postponed) == (0, 2)
    services.clock.advance(minutes=2)
    assert (await make.make_articles(services, "run", report=nobody_listens)).completed == 2
    for sitting in (record, other):
        task = await task_of(services, sitting)
        assert (task.status, task.attempts, task.retry_attempts) == ("completed", 2, 1)
    at_once = await waiting(43)
    await make.make_articles(services, "run", report=nobody_listens)
    task = await task_of(services, at_once)
    assert (task.status, task.attempts, task.retry_attempts) == ("completed", 1, 0)


async def test_a_meeting_is_given_up_after_five_attempts_which_are_four_retries(services, waiting):
    record = await waiting(44)
    faulty, writer = with_writer(services, *[Unavailable("No answer.")] * 9)
    for _ in range(9):
        await make.make_articles(faulty, "run", report=nobody_listens)
        services.clock.advance(hours=7)
    task = await task_of(services, record)
    assert (task.status, task.attempts, len(writer.asked)) == ("failed", 5, 5)


async def test_finished_tasks_are_listed_the_latest_first_and_waiting_ones_the_oldest(desk, services, site, sitting):
    await desk.publish(sitting(801))
    services.clock.advance(minutes=5)
    await desk.publish(sitting(802))
    finished = (await tasks.list_tasks(services, "completed", limit=2)).items
    assert [task.issue_id for task in finished] == [sitting(802)["issueID"], sitting(801)["issueID"]]
    for number in (803, 804):
        services.clock.advance(minutes=5)
        await store.ingest_meeting(services.tables, parse_meeting(sitting(number)), "raw/x.json")
    waits = [task.issue_id for task in (await tasks.list_tasks(services, "ingested", limit=100)).items]
    assert waits.index(sitting(803)["issueID"]) < waits.index(sitting(804)["issueID"])
    page = (await site.get("/recap/tasks?status=completed", headers={"Accept": "text/html"})).text
    row = page.partition("data-row")[2].partition("</tr>")[0]
    assert "House of Representatives" in row
    assert 'data-label="Retries">0</td>' in row

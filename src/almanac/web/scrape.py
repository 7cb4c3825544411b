"""One scrape: what PostgreSQL, the pool and the table file say at this moment, as Prometheus metric families.

Every label value comes from the code: a task, a queue, a step or a schedule that this version doesn't know is `other`,
so the number of series is bounded whatever people and programs send.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from almanac import __version__, metrics
from almanac.accounts.permissions import DESKS
from almanac.backup.status import BackupStatus
from almanac.http.desk import Desk
from almanac.jobs import JobStatus, QueueCounts, RunOutcome, WorkNames
from almanac.llm.budget import MonthSpending
from almanac.llm.embeddings import EMBEDDING_STEP
from almanac.llm.model_config import JUDGE_STEP
from almanac.llm.steps import STANDARD_STEPS
from almanac.llm.web_search import WEB_SEARCH
from almanac.mail.model import mail_outcome
from almanac.services import Services

Samples = Mapping[tuple[str, ...], float]
OTHER = "other"
# As in the migration that counts them.
JOB_BUCKETS = ("0.1", "0.5", "1", "5", "15", "60", "300", "1800", "+Inf")
MAIL_OUTCOMES = ("sent", "kept", "failed", "unknown")
MAIL_FAILURES = ("refused", "exhausted", "suppressed", "cancelled", "not_sent")
MODEL_OUTCOMES = (
    "written",
    "cached",
    "repaired",
    "empty",
    "cancelled",
    "failed",
    "rate limited",
    "not answering",
    "paused",
    "too long",
    "refused",
    "malformed",
    "unusable",
    "nothing searched",
    "model needed",
)
_POOL_STATS = {
    "pool_size": ("almanac_database_connections", "Connections of this process's pool."),
    "pool_available": ("almanac_database_connections_idle", "Connections that wait for work."),
    "pool_max": ("almanac_database_connections_limit", "Most connections that this process opens."),
    "requests_waiting": ("almanac_database_requests_waiting", "Work of this process that waits for a connection."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrape:
    """Everything that one scrape read."""

    now: datetime
    counts: Sequence[QueueCounts]
    tallies: Sequence[metrics.OperationTally]
    ages: Sequence[metrics.QueueAge]
    failures: Sequence[metrics.CountedFailures]
    successes: Sequence[metrics.ScheduleSuccess]
    backlogs: Sequence[metrics.Backlog]
    lag: metrics.SyncLag
    sessions: int
    stale_kinds: int
    month: MonthSpending
    backup: BackupStatus
    pool: Mapping[str, float]
    table_bytes: int | None


def step_names(desks: Sequence[Desk]) -> frozenset[str]:
    """The model steps of the platform and of the desks."""
    own = (step.name for step in STANDARD_STEPS)
    return frozenset({WEB_SEARCH, JUDGE_STEP, EMBEDDING_STEP, *own, *(s for desk in desks for s in desk.writer_steps)})


async def scrape(services: Services) -> Scrape:
    """Read everything, in a number of statements that doesn't depend on how much there is."""
    now = services.clock.now()
    async with services.database.reading() as reading:
        tallies = await metrics.list_operation_tallies(reading)
        ages = await metrics.list_queue_ages(reading)
        failures = await metrics.list_failure_counts(reading)
        successes = await metrics.list_last_successes(reading, services.jobs.names.schedules)
        backlogs = await metrics.list_backlogs(reading)
        lag = await metrics.read_sync_lag(reading, now)
        sessions = await metrics.count_sessions(reading, now)
    return Scrape(
        now=now,
        counts=await services.jobs.counts(),
        tallies=tallies,
        ages=ages,
        failures=failures,
        successes=successes,
        backlogs=backlogs,
        lag=lag,
        sessions=sessions,
        stale_kinds=len(await services.rebuilds.list_stale()),
        month=await services.models.spent_this_month(),
        backup=await services.backups.status(),
        pool=services.database.pool.get_stats(),
        table_bytes=_table_bytes(services),
    )


def _table_bytes(services: Services) -> int | None:
    """The size of the embedded table file with its write-ahead log; None where tables are elsewhere."""
    if services.engine is None or services.engine.storage.is_in_memory:
        return None
    path = services.engine.storage.path
    return sum(file.stat().st_size for file in (Path(path), Path(f"{path}-wal")) if file.exists())


class ScrapeCollector(Collector):
    """A scrape as metric families."""

    def __init__(self, scraped: Scrape, names: WorkNames, steps: Collection[str]) -> None:
        self._scraped = scraped
        self._names = names
        self._steps = steps

    def collect(self) -> Iterator[Metric]:
        yield _gauge("almanac_info", "The version that runs.", {(__version__,): 1}, ("version",))
        yield from self._jobs()
        yield from self._runs()
        yield from self._mail()
        yield from self._models()
        yield from self._lag()
        yield from self._backups()
        yield from self._resources()

    def _jobs(self) -> Iterator[Metric]:
        scraped, queues = self._scraped, self._names.queues
        jobs: Counter[tuple[str, ...]] = Counter()
        for counts in scraped.counts:
            for status in JobStatus:
                jobs[_known(counts.queue, queues), status.value] += getattr(counts, status.value)
        yield _gauge("almanac_jobs", "Jobs by queue and status.", jobs, ("queue", "status"))
        ages = {(_known(age.queue, queues),): age.seconds for age in scraped.ages}
        waiting: Samples = {(queue,): ages.get((queue,), 0.0) for queue in (*queues, OTHER)}
        yield _gauge(
            "almanac_queue_oldest_seconds", "How long the oldest job that could run has waited.", waiting, ("queue",)
        )
        failures: Counter[tuple[str, ...]] = Counter()
        for line in scraped.failures:
            failures[_known(line.task, self._names.tasks), "input" if line.by_input else "fault"] += line.failures
        totals: Samples = {
            (cause,): sum(n for (_, c), n in failures.items() if c == cause) for cause in ("fault", "input")
        }
        yield _gauge("almanac_failures", "Failures that nobody dismissed, by cause.", totals, ("cause",))
        yield _gauge("almanac_task_failures", "Failures that nobody dismissed.", failures, ("task", "cause"))

    def _runs(self) -> Iterator[Metric]:
        runs = self._sum("job_runs", self._names.tasks, [outcome.value for outcome in RunOutcome])
        yield _counter("almanac_job_runs", "Attempts at jobs, by task and outcome.", runs, ("task", "outcome"))
        buckets = self._sum("job_seconds_bucket", self._names.tasks, JOB_BUCKETS)
        seconds = self._sum("job_seconds", self._names.tasks, [""])
        family = HistogramMetricFamily("almanac_job_seconds", "How long attempts at jobs took.", labels=("task",))
        for task in sorted({task for task, _ in buckets}):
            counted, lines = 0.0, []
            for edge in JOB_BUCKETS:
                counted += buckets.get((task, edge), 0)
                lines.append((edge, counted))
            family.add_metric([task], lines, sum(n for (name, _), n in seconds.items() if name == task))
        yield family

    def _mail(self) -> Iterator[Metric]:
        outcomes: dict[tuple[str, ...], float] = {(outcome,): 0 for outcome in MAIL_OUTCOMES}
        reasons: dict[tuple[str, ...], float] = {(reason,): 0 for reason in (*MAIL_FAILURES, OTHER)}
        for tally in self._scraped.tallies:
            if tally.name != "mail":
                continue
            if tally.subject == "sent":
                outcomes[mail_outcome("sent", tally.detail),] += tally.amount
            elif tally.subject in MAIL_OUTCOMES:
                outcomes[tally.subject,] += tally.amount
            if tally.subject == "failed":
                reasons[_known(tally.detail, MAIL_FAILURES),] += tally.amount
        yield _counter("almanac_mail", "Mails by outcome; kept means that mail isn't set up.", outcomes, ("outcome",))
        yield _counter("almanac_mail_failures", "Mails that failed, by reason.", reasons, ("reason",))

    def _models(self) -> Iterator[Metric]:
        labels = ("desk", "step")
        calls, tokens, cost = (
            self._sum_steps(name, kinds)
            for name, kinds in (
                ("model_calls", MODEL_OUTCOMES),
                ("model_tokens", ("input", "output")),
                ("model_cost", ("",)),
            )
        )
        yield _counter("almanac_model_calls", "Uses of models, by outcome.", calls, (*labels, "outcome"))
        yield _counter("almanac_model_tokens", "Tokens that models read and wrote.", tokens, (*labels, "direction"))
        spent: Samples = {(desk, step): amount for (desk, step, _), amount in cost.items()}
        yield _counter("almanac_model_cost_dollars", "What models cost.", spent, labels)
        month = self._scraped.month
        yield _gauge("almanac_model_month_cost_dollars", "What models cost this month.", {(): float(month.spent)})
        if month.cap is not None:
            yield _gauge("almanac_model_month_cap_dollars", "The cap of a month.", {(): float(month.cap)})

    def _lag(self) -> Iterator[Metric]:
        scraped = self._scraped
        lag: dict[tuple[str, ...], float] = {
            (name,): self._age(getattr(scraped.lag, name)) for name in ("news", "knowledge_feeds", "knowledge_pages")
        }
        lag["webhooks",] = max((self._age(b.oldest) for b in scraped.backlogs if b.name == "webhooks"), default=0.0)
        mails = [backlog for backlog in scraped.backlogs if backlog.name.startswith("mail_")]
        lag["mail",] = max((self._age(b.oldest) for b in mails if b.name == "mail_queued"), default=0.0)
        yield _gauge("almanac_sync_lag_seconds", "How long the most overdue item has waited.", lag, ("source",))
        waiting: dict[tuple[str, ...], float] = {(status,): 0 for status in ("queued", "sending", "unknown")}
        waiting |= {(backlog.name.removeprefix("mail_"),): backlog.waiting for backlog in mails}
        yield _gauge("almanac_mail_waiting", "Mails that are not settled, by status.", waiting, ("status",))
        successes: Samples = {
            (success.schedule,): success.finished_at.timestamp()
            for success in scraped.successes
            if success.schedule in self._names.schedules
        }
        yield _gauge(
            "almanac_schedule_last_success_timestamp_seconds",
            "When the latest run of a schedule succeeded.",
            successes,
            ("schedule",),
        )

    def _backups(self) -> Iterator[Metric]:
        status = self._scraped.backup
        age = self._age(status.last_good_at or status.installed_at)
        yield _gauge("almanac_backup_age_seconds", "Age of the last good backup, or of the installation.", {(): age})
        result = status.last.result if status.last else None
        results: Samples = {(name,): int(name == result) for name in ("good", "bad", "failed")}
        yield _gauge("almanac_backup_last_result", "Result of the last backup.", results, ("result",))
        if status.last_good is not None:
            yield _gauge(
                "almanac_backup_last_bytes", "Size of the last good backup.", {(): status.last_good.bytes or 0}
            )

    def _resources(self) -> Iterator[Metric]:
        scraped = self._scraped
        yield _gauge("almanac_sessions", "Browsers that are signed in.", {(): scraped.sessions})
        yield _gauge(
            "almanac_search_stale_kinds",
            "Kinds of documents that wait for a rebuild of the search index.",
            {(): scraped.stale_kinds},
        )
        for stat, (name, about) in _POOL_STATS.items():
            yield _gauge(name, about, {(): scraped.pool.get(stat, 0)})
        waited: Samples = {(): scraped.pool.get("requests_wait_ms", 0) / 1000}
        yield _counter("almanac_database_wait_seconds", "Time that work waited for a connection.", waited)
        if scraped.table_bytes is not None:
            yield _gauge("almanac_table_file_bytes", "Size of the embedded table file.", {(): scraped.table_bytes})

    def _age(self, since: datetime | None) -> float:
        return max((self._scraped.now - since).total_seconds(), 0.0) if since else 0.0

    def _sum(self, name: str, subjects: Collection[str], details: Collection[str]) -> Samples:
        sums: defaultdict[tuple[str, ...], float] = defaultdict(float)
        for tally in self._scraped.tallies:
            if tally.name == name:
                sums[_known(tally.subject, subjects), _known(tally.detail, details)] += tally.amount
        return dict(sums)

    def _sum_steps(self, name: str, details: Collection[str]) -> Samples:
        sums: defaultdict[tuple[str, ...], float] = defaultdict(float)
        for tally in self._scraped.tallies:
            if tally.name == name:
                desk, _, step = tally.subject.partition(" ")
                labels = (_known(desk, DESKS), _known(step, self._steps), _known(tally.detail, details))
                sums[labels] += tally.amount
        return dict(sums)


def _known(value: str, values: Collection[str]) -> str:
    return value if value in values else OTHER


def _gauge(name: str, about: str, samples: Samples, labels: tuple[str, ...] = ()) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=labels)
    for label_values, value in samples.items():
        family.add_metric(label_values, value)
    return family


def _counter(name: str, about: str, samples: Samples, labels: tuple[str, ...] = ()) -> CounterMetricFamily:
    family = CounterMetricFamily(name, about, labels=labels)
    for label_values, value in samples.items():
        family.add_metric(label_values, value)
    return family

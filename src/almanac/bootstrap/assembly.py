"""Opens everything that the settings ask for, puts it together as services, closes it in reverse."""

import logging
import os
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.principals import StoredPrincipals
from almanac.approvals import ApprovalRules
from almanac.approvals.service import StoredApprovals
from almanac.articles import PageReader, ReaderPool
from almanac.bootstrap.adapters import (
    build_accounts,
    build_alerts,
    build_deliveries,
    build_fetcher,
    build_knowledge,
    build_mail,
    build_notifications,
    build_saved_feeds,
    build_search_index,
    build_setup,
    build_subscribers,
    list_sns_topics,
    open_mail_transport,
    parse_sender,
    provider_factories,
)
from almanac.bootstrap.public_side import build_read_ports, list_feed_kinds, open_public_database
from almanac.bootstrap.stores import (
    SECRET,
    build_backups,
    build_installation,
    database_address,
    open_objects,
    open_table_service,
    upgrade_data,
)
from almanac.config import Settings
from almanac.demo import Demo
from almanac.desks import DESKS, enabled_desks
from almanac.errors import AlmanacError, Unavailable
from almanac.http.day_digest import write_digest
from almanac.http.desk import Desk
from almanac.http.idempotency import jobs as request_tasks
from almanac.http.rate_limit import jobs as rate_limit_tasks
from almanac.jobs import JobRegistry, Schedule
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.judge import JUDGE, SecondJudge
from almanac.kit.clock import Clock, SystemClock
from almanac.kit.signatures import derive_key, load_secret
from almanac.knowledge import KnowledgeViewer
from almanac.knowledge.indexing import ChunkProvider
from almanac.knowledge.jobs import QUEUE as KNOWLEDGE_QUEUE
from almanac.knowledge.source_reader import SourceReader
from almanac.llm import jobs as model_tasks
from almanac.llm.assembly import OpenModels, open_models
from almanac.llm.model_config import read_model_config
from almanac.llm.steps import STANDARD_STEPS
from almanac.llm.web_search import WEB_SEARCH
from almanac.mail.jobs import DELIVER, SEND_DUE_MAIL, send_queued_mail_by_job
from almanac.mail.mailbox import Mailbox
from almanac.mail.sns import SnsInbox
from almanac.notifications import jobs as notification_tasks
from almanac.notifications.sources import listen_to_approvals, listen_to_desks
from almanac.platform_jobs import platform_schedules
from almanac.relational import Database
from almanac.saved import SavedQueries
from almanac.saved import jobs as alert_tasks
from almanac.search import rebuild as search_tasks
from almanac.search.rebuild import IndexRebuilder
from almanac.services import Services
from almanac.subscribers import jobs as subscriber_tasks
from almanac.tables import LargeValues, ensure_tables, open_tables
from almanac.webhooks import PLATFORM_EVENTS, EventRegistry, Webhooks
from almanac.webhooks import jobs as webhook_tasks
from almanac.webhooks.publisher import publish_approvals
from tablature.errors import Retryable as EndpointDown
from tablature.errors import TablatureError
from tablature.transport.port import Transport

_log = logging.getLogger(__name__)

_log = logging.getLogger(__name__)
STEPS = [
    WEB_SEARCH,
    JUDGE.name,
    *(step.name for step in STANDARD_STEPS),
    *(name for desk in DESKS for name in desk.writer_steps),
]
DEMO = Demo({desk.name: desk.demo for desk in DESKS if desk.demo is not None})


@asynccontextmanager
async def open_services(
    settings: Settings, clock: Clock | None = None, *, only_look: bool = False
) -> AsyncIterator[Services]:
    """All services, open and migrated, without web and worker.

    With `only_look`, tables at a service stay as they are, even missing.
    """
    clock = clock or SystemClock()
    async with database_address(settings) as url, open_table_service(settings, clock) as transport:
        await upgrade_data(settings, build_installation(settings, clock, url, open_objects(settings, clock), transport))
        async with (
            Database(url, max_connections=_connections(settings)) as database,
            open_models(settings, clock, database, os.environ, provider_factories(settings), STEPS) as models,
            ReaderPool(settings.news_readers) as pages,
            open_public_database(settings, url) as public_database,
        ):
            services = _services(settings, clock, database, transport, models, pages)
            _connect_notifications(services)
            _connect_quotes(services)
            if public_database is not None:
                services = replace(services, read_ports=build_read_ports(services, public_database))
            services.rebuilds.add(ChunkProvider(services.database))
            services.rebuilds.add(*(provider for desk in DESKS for provider in desk.search_providers(services)))
            if services.read_ports is not None:
                services.read_ports.search.add_kinds(*services.search.kinds.values())
            if services.engine is not None or not only_look:
                await _ensure_tables(services)
            yield services


def check_adapters(settings: Settings) -> None:
    """Refuse settings with which mail or models couldn't be opened; contacts nobody."""
    open_mail_transport(settings)
    parse_sender(settings)
    read_model_config(settings, os.environ, STEPS)


async def _ensure_tables(services: Services) -> None:
    """Create missing tables. If the endpoint is down, everything that needs no table still works.

    An index over many items takes long to build, so that is left to `almanac migrate`.
    """
    with suppress(EndpointDown, Unavailable):
        report = await ensure_tables(services.tables, build_indexes=False)
        for warning in report.warnings:
            _log.warning("%s", warning)


def _connections(settings: Settings) -> int:
    """Enough for the web, and two for each job: its transaction and its reports of progress."""
    return 10 + 2 * settings.worker_concurrency


async def bring_index_up_to_date(services: Services) -> None:
    """Queue a rebuild of what another version indexed. Starting doesn't depend on it."""
    try:
        job_id = await services.rebuilds.bring_up_to_date(services.jobs)
    except (AlmanacError, TablatureError):
        _log.warning("It couldn't be decided whether the search index needs a rebuild.", exc_info=True)
        return
    if job_id is not None:
        _log.info("The search index is rebuilt for this version.", extra={"job": job_id})


def make_worker(services: Services) -> Worker[Services]:
    """A worker for every job type and schedule of the desks that are switched on; jobs of the others wait."""
    jobs, settings = services.jobs, services.settings
    assert isinstance(jobs, PostgresJobs)
    return Worker(
        jobs, services, WorkerSettings(concurrency=settings.worker_concurrency, queues=_open_queues(settings, jobs))
    )


def _open_queues(settings: Settings, jobs: PostgresJobs) -> tuple[str, ...] | None:
    """The queues of the platform and of the desks that are switched on; None for all."""
    closed = {desk.name for desk in DESKS} - set(settings.enabled_desks)
    if not closed:
        return None
    closed |= {KNOWLEDGE_QUEUE} if "newsletter" in closed else set()
    return tuple(sorted({job_type.queue for job_type in jobs.registry.job_types.values()} - closed))


def _services(
    settings: Settings, clock: Clock, database: Database, transport: Transport, models: OpenModels, pages: PageReader
) -> Services:
    secret = settings.secret_key.encode() if settings.secret_key else load_secret(settings.data / SECRET)
    cursors = derive_key(secret, "cursors")
    mail, objects = build_mail(settings, clock, database, secret), open_objects(settings, clock)
    accounts = build_accounts(settings, clock, database, secret, mail)
    registry = JobRegistry()
    jobs = PostgresJobs(database, registry, clock, cursor_key=cursors)
    send_queued_mail_by_job(mail.mailer, jobs)
    fetcher = build_fetcher(settings, clock)
    approvals = StoredApprovals(clock, cursor_key=cursors, chosen=ApprovalRules(own_work=settings.approve_own_work))
    events, key = EventRegistry(PLATFORM_EVENTS), derive_key(secret, "webhooks")
    webhooks = Webhooks(database, clock, jobs=jobs, fetcher=fetcher, events=events, key=key)
    publish_approvals(approvals, webhooks)
    search = build_search_index(database, cursors, models, registry)
    notifications = build_notifications(settings, accounts, jobs, mail, fetcher, secret)
    listen_to_approvals(approvals)
    alerts = build_alerts(settings, accounts, jobs, mail, search, notifications)
    installation = build_installation(settings, clock, database.url, objects, transport)
    backups = build_backups(settings, installation, database)
    register_work(registry, webhooks.events, platform_schedules(settings, accounts, backups), enabled_desks(settings))
    return Services(
        settings=settings,
        clock=clock,
        secret=secret,
        database=database,
        objects=objects,
        tables=open_tables(transport, settings, clock=clock.now, cursor_secret=cursors, objects=LargeValues(objects)),
        table_service=transport,
        engine=installation.tables,
        backups=backups,
        jobs=jobs,
        mailer=mail.mailer,
        mailbox=Mailbox(database, cursors),
        suppressions=mail.suppressions,
        deliveries=build_deliveries(database, clock, jobs),
        mail_transport=mail.transport,
        sns=SnsInbox(list_sns_topics(settings)),
        accounts=accounts,
        principals=StoredPrincipals(accounts),
        fetcher=fetcher,
        page_reader=pages,
        approvals=approvals,
        webhooks=webhooks,
        notifications=notifications,
        search=search,
        knowledge=build_knowledge(settings, jobs, SourceReader(database, objects, fetcher, search, clock), cursors),
        rebuilds=IndexRebuilder(database, search),
        saved=SavedQueries(database, clock, search, alerts, tuple(list_feed_kinds(settings))),
        saved_feeds=build_saved_feeds(settings, database, accounts, search, derive_key(secret, "feeds")),
        alerts=alerts,
        alert_mails=build_subscribers(settings, clock, database, secret, mail),
        writer=models.writer,
        embedder=models.embedder,
        models=models.models,
        web_search=models.web_search,
        judge=SecondJudge(models.writer, models.answers, models.models.config),
        setup=build_setup(settings, clock, database, STEPS, check_adapters),
    )


def _connect_notifications(services: Services) -> None:
    """Let notifications count what waits for a person, find whose the object of a failed job is, and tell their day."""
    queues, owners = services.notifications.delivery.approval_queues, services.notifications.sorter.owners

    async def count_platform(person: Principal) -> int:
        async with services.database.reading() as reading:
            return await services.approvals.count_waiting(reading, person)

    async def find_source_owner(source_id: str) -> str | None:
        viewer = KnowledgeViewer(CONSOLE.user_id, everything=True)
        return (await services.knowledge.get(viewer, source_id)).source.owner_id

    listen_to_desks(services.webhooks)
    queues += [count_platform, *(partial(desk.approvals, services) for desk in enabled_desks(services.settings))]
    owners["source"] = find_source_owner
    services.notifications.morning.writers.append(partial(write_digest, services, enabled_desks(services.settings)))


def _connect_quotes(services: Services) -> None:
    """Let mails about what somebody follows quote it in its own words."""
    for desk in DESKS:
        if desk.quotes is not None:
            services.alert_mails.quoters[desk.name] = partial(desk.quotes, services)
        for kind, quote in desk.match_quotes.items():
            services.alerts.quoters[kind] = partial(quote, services)


def register_work(
    registry: JobRegistry, events: EventRegistry, schedules: Iterable[Schedule], desks: Sequence[Desk]
) -> None:
    """Register all job types and webhook events, and the schedules of the platform and of these desks."""
    registry.add(
        DELIVER, webhook_tasks.DELIVER, alert_tasks.RUN_ALERT, notification_tasks.SEND, search_tasks.REBUILD, DEMO.task
    )
    for desk in DESKS:
        registry.add(*desk.jobs)
        registry.add(*(schedule.job_type for schedule in desk.schedules))
        registry.schedule(*(desk.schedules if desk in desks else ()))
        events.add(*desk.events)
    registry.schedule(
        SEND_DUE_MAIL,
        model_tasks.FORGET_ANSWERS,
        webhook_tasks.PRUNE,
        alert_tasks.START_DUE_ALERTS,
        subscriber_tasks.SEND_ALERTS,
        subscriber_tasks.PRUNE_REQUESTS,
        notification_tasks.KEEP_UP,
        notification_tasks.MORNING,
        notification_tasks.PRUNE,
        request_tasks.DELETE_EXPIRED_KEYS,
        rate_limit_tasks.DELETE_FULL_BUCKETS,
    )
    registry.schedule(*schedules)

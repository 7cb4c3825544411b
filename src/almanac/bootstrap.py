"""The only file that names concrete adapters: reads the settings, opens what they ask for, closes it in reverse."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from almanac.accounts.oidc import OidcProvider
from almanac.accounts.port import Accounts
from almanac.accounts.principals import StoredPrincipals
from almanac.approvals import ApprovalRules
from almanac.approvals.service import StoredApprovals
from almanac.articles import PageReader, ReaderPool
from almanac.backup import Installation, upgrade
from almanac.config import Settings
from almanac.demo import Demo
from almanac.desks import DESKS
from almanac.errors import InputError, SettingError, Unavailable
from almanac.fetch.guard import FetchGuard
from almanac.fetch.http import FetchLimits, HttpFetcher
from almanac.http.idempotency import jobs as request_tasks
from almanac.jobs import SCHEMA, JobRegistry, Schedule
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.judge import JUDGE, SecondJudge
from almanac.kit.clock import Clock, SystemClock
from almanac.kit.lazy import lazy_module
from almanac.kit.signatures import derive_key, load_secret
from almanac.knowledge.indexing import ChunkProvider
from almanac.knowledge.jobs import KnowledgeJobs
from almanac.knowledge.service import StoredKnowledge
from almanac.knowledge.source_reader import SourceReader
from almanac.link_mail import LinkMailer
from almanac.llm import jobs as model_tasks
from almanac.llm.assembly import OpenModels, ProviderFactories, open_models
from almanac.llm.steps import STANDARD_STEPS
from almanac.llm.web_search import WEB_SEARCH
from almanac.mail.deliveries import Deliveries
from almanac.mail.jobs import DELIVER, SEND_DUE_MAIL, notify_desks_by_job, send_queued_mail_by_job
from almanac.mail.mail_templates import MailTemplates
from almanac.mail.mailbox import Mailbox
from almanac.mail.message import Address
from almanac.mail.outbox import MemoryTransport, OutboxFolder
from almanac.mail.port import MailTransport
from almanac.mail.service import Mailer
from almanac.mail.ses import SesAccount, SesTransport
from almanac.mail.smtp import SmtpServer, SmtpTransport
from almanac.mail.sns import SnsInbox
from almanac.mail.suppression import Suppressions, UnsubscribeLinks
from almanac.objects import ObjectStore
from almanac.objects.local import LocalObjectStore
from almanac.objects.memory import MemoryObjectStore
from almanac.objects.s3 import S3ObjectStore
from almanac.platform_jobs import platform_schedules
from almanac.relational import MIGRATIONS, Database, EmbeddedPostgres, redact_url
from almanac.saved import Alerts, SavedFeeds, SavedQueries
from almanac.saved import jobs as alert_tasks
from almanac.saved.alerts import TEMPLATES as ALERT_TEMPLATES
from almanac.saved.feeds import FeedTokens
from almanac.search import SearchIndex
from almanac.search import rebuild as search_tasks
from almanac.search.embeddings import EmbeddingIndex, embedding_schedule
from almanac.search.postgres import PostgresIndex
from almanac.search.rebuild import IndexRebuilder
from almanac.services import Services
from almanac.tables import LargeValues, create_missing_tables, missing_tables, open_tables
from almanac.webhooks import PLATFORM_EVENTS, EventRegistry, Webhooks
from almanac.webhooks import jobs as webhook_tasks
from almanac.webhooks.publisher import publish_approvals
from tablature.engine.housekeeping import Housekeeper
from tablature.errors import Retryable as EndpointDown
from tablature.transport.aws import Aws
from tablature.transport.credentials import find_region
from tablature.transport.embedded import Embedded
from tablature.transport.port import Transport

if TYPE_CHECKING:
    from almanac.llm import hosted, hosted_embeddings
else:
    hosted = lazy_module("almanac.llm.hosted")
    hosted_embeddings = lazy_module("almanac.llm.hosted_embeddings")

SECRET, OUTBOX, TABLES, BACKUPS = "secret.key", "outbox", "tables.db", "backups"
OIDC_RETURN = "/sign-in/single/return"
STEPS = [
    WEB_SEARCH,
    JUDGE.name,
    *(step.name for step in STANDARD_STEPS),
    *(name for desk in DESKS for name in desk.writer_steps),
]
DEMO = Demo({desk.name: desk.demo for desk in DESKS if desk.demo is not None})


@asynccontextmanager
async def database_address(settings: Settings) -> AsyncIterator[str]:
    """The URL of PostgreSQL: the one in the settings, or of the embedded server, which runs while this is open."""
    _make_data_folder(settings.data)
    if settings.database_url is not None:
        yield redact_url(settings.database_url)
        return
    async with EmbeddedPostgres(settings.data / "postgres") as url:
        yield url


@asynccontextmanager
async def open_services(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Services]:
    """All services, open and migrated, without web and worker."""
    clock = clock or SystemClock()
    async with database_address(settings) as url, _table_service(settings, clock) as transport:
        await _upgrade(settings, _installation(settings, clock, url, _objects(settings, clock), transport))
        async with (
            Database(url, max_connections=_connections(settings)) as database,
            open_models(settings, clock, database, os.environ, _provider_factories(settings), STEPS) as models,
            ReaderPool(settings.news_readers) as pages,
        ):
            services = _services(settings, clock, database, transport, models, pages)
            services.rebuilds.add(ChunkProvider(services.database))
            services.rebuilds.add(*(provider for desk in DESKS for provider in desk.search_providers(services)))
            await _ensure_tables(services, transport)
            yield services


async def _ensure_tables(services: Services, transport: Transport) -> None:
    """Create missing tables. If the endpoint is down, everything that needs no table still works."""
    if isinstance(transport, Embedded):
        await create_missing_tables(services.tables)
        return
    with suppress(EndpointDown, Unavailable):
        if await missing_tables(transport, services.settings):
            await create_missing_tables(services.tables)


async def migrate_all(settings: Settings, *, back_up: bool = True) -> list[str]:
    """Apply every migration and create the tables that are missing; returns what was done."""
    clock = SystemClock()
    async with database_address(settings) as url, _table_service(settings, clock) as transport:
        installation = _installation(settings, clock, url, _objects(settings, clock), transport)
        applied = await _upgrade(settings, installation, back_up=back_up)
        tables = open_tables(transport, settings, clock=clock.now, cursor_secret=b"")
        return applied + [f"table {name}" for name in await create_missing_tables(tables)]


async def _upgrade(settings: Settings, installation: Installation, *, back_up: bool = True) -> list[str]:
    """Migrate. The data folder is backed up first; an external database has its own backups."""
    keeps = back_up and settings.database_url is None and settings.backup_keep_days > 0
    return await upgrade(installation, folder=settings.data / BACKUPS if keeps else None)


@asynccontextmanager
async def open_stores(settings: Settings) -> AsyncIterator[Installation]:
    """The stores that a restore replaces, opened without migration."""
    clock = SystemClock()
    async with database_address(settings) as url, _table_service(settings, clock) as transport:
        yield _installation(settings, clock, url, _objects(settings, clock), transport)


@asynccontextmanager
async def _table_service(settings: Settings, clock: Clock) -> AsyncIterator[Transport]:
    """The transport to the tables: the embedded engine with its cleanup, or the endpoint in the settings."""
    if settings.dynamodb_endpoint or settings.dynamodb_region:
        if settings.dynamodb_region is None and not find_region():
            raise SettingError("ALMANAC_DYNAMODB_ENDPOINT also needs ALMANAC_DYNAMODB_REGION, such as eu-west-1.")
        async with Aws(endpoint_url=settings.dynamodb_endpoint, region=settings.dynamodb_region) as aws:
            yield aws
        return
    with Embedded(settings.data / TABLES) as embedded:
        housekeeper = Housekeeper(embedded.engine.storage, clock=lambda: clock.now().timestamp())
        housekeeper.start()
        try:
            yield embedded
        finally:
            await asyncio.to_thread(housekeeper.stop)


def _connections(settings: Settings) -> int:
    """Enough for the web, and two for each job: its transaction and its reports of progress."""
    return 10 + 2 * settings.worker_concurrency


def make_worker(services: Services) -> Worker[Services]:
    """A worker for every job type and schedule of the product."""
    jobs = services.jobs
    assert isinstance(jobs, PostgresJobs)
    return Worker(jobs, services, WorkerSettings(concurrency=services.settings.worker_concurrency))


def get_installation(services: Services) -> Installation:
    """What a backup holds and a restore replaces."""
    url, transport = services.database.url, services.table_service
    return _installation(services.settings, services.clock, url, services.objects, transport)


def _installation(
    settings: Settings, clock: Clock, url: str, objects: ObjectStore, transport: Transport
) -> Installation:
    return Installation(
        database_url=url,
        objects=objects,
        tables=transport.engine if isinstance(transport, Embedded) else None,
        clock=clock,
        files={OUTBOX: settings.data / OUTBOX, SECRET: settings.data / SECRET},
        migrations=(SCHEMA, MIGRATIONS),
    )


def _provider_factories(settings: Settings) -> ProviderFactories:
    """pydantic-ai takes seconds to load, so it is loaded by the first question to a model."""
    return ProviderFactories(
        models=lambda model: hosted.open_model(model, settings.llm_output, settings.llm_timeout),
        vectors=lambda model: hosted_embeddings.open_embeddings(model, settings.llm_timeout),
        searches=lambda model: hosted.open_search(model, settings.llm_timeout),
    )


def _services(
    settings: Settings, clock: Clock, database: Database, transport: Transport, models: OpenModels, pages: PageReader
) -> Services:
    secret = settings.secret_key.encode() if settings.secret_key else load_secret(settings.data / SECRET)
    cursors = derive_key(secret, "cursors")
    mail, objects = _mail(settings, clock, database, secret), _objects(settings, clock)
    accounts = _accounts(settings, clock, database, cursors, LinkMailer(mail.mailer))
    registry = JobRegistry()
    jobs = PostgresJobs(database, registry, clock, cursor_key=cursors)
    send_queued_mail_by_job(mail.mailer, jobs)
    fetcher = _fetcher(settings, clock)
    approvals = StoredApprovals(clock, cursor_key=cursors, chosen=ApprovalRules(own_work=settings.approve_own_work))
    events, key = EventRegistry(PLATFORM_EVENTS), derive_key(secret, "webhooks")
    webhooks = Webhooks(database, clock, jobs=jobs, fetcher=fetcher, events=events, key=key)
    publish_approvals(approvals, webhooks)
    search = _search_index(database, cursors, models, registry)
    alerts = _alerts(settings, accounts, jobs, mail, search)
    installation = _installation(settings, clock, database.url, objects, transport)
    register_work(registry, webhooks.events, platform_schedules(settings, accounts, installation))
    return Services(
        settings=settings,
        clock=clock,
        secret=secret,
        database=database,
        objects=objects,
        tables=open_tables(transport, settings, clock=clock.now, cursor_secret=cursors, objects=LargeValues(objects)),
        table_service=transport,
        engine=installation.tables,
        jobs=jobs,
        mailer=mail.mailer,
        mailbox=Mailbox(database, cursors),
        suppressions=mail.suppressions,
        deliveries=_deliveries(database, clock, jobs),
        mail_transport=mail.transport,
        sns=SnsInbox(_sns_topics(settings)),
        accounts=accounts,
        principals=StoredPrincipals(accounts),
        fetcher=fetcher,
        page_reader=pages,
        approvals=approvals,
        webhooks=webhooks,
        search=search,
        knowledge=_knowledge(settings, jobs, SourceReader(database, objects, fetcher, search, clock), cursors),
        rebuilds=IndexRebuilder(database, search),
        saved=SavedQueries(database, clock, search, alerts),
        saved_feeds=_saved_feeds(settings, database, accounts, search, derive_key(secret, "feeds")),
        alerts=alerts,
        writer=models.writer,
        embedder=models.embedder,
        models=models.models,
        web_search=models.web_search,
        judge=SecondJudge(models.writer, models.answers, models.models.config),
    )


@dataclass(frozen=True, slots=True)
class _MailServices:
    """The parts of mail that other services are built from."""

    transport: MailTransport
    links: UnsubscribeLinks
    mailer: Mailer
    suppressions: Suppressions


def _mail(settings: Settings, clock: Clock, database: Database, secret: bytes) -> _MailServices:
    transport = _mail_transport(settings)
    links = UnsubscribeLinks(derive_key(secret, "unsubscribe"), settings.public_url)
    mailer = Mailer(database, transport, clock=clock, sender=_sender(settings), links=links)
    return _MailServices(transport, links, mailer, Suppressions(database, clock, links, derive_key(secret, "cursors")))


def _alerts(
    settings: Settings, accounts: Accounts, jobs: PostgresJobs, mail: _MailServices, search: SearchIndex
) -> Alerts:
    return Alerts(
        database=accounts.database,
        clock=accounts.clock,
        index=search,
        accounts=accounts,
        jobs=jobs,
        mailer=mail.mailer,
        links=mail.links,
        suppressions=mail.suppressions,
        public_url=settings.public_url,
        templates=MailTemplates(ALERT_TEMPLATES),
    )


def _deliveries(database: Database, clock: Clock, jobs: PostgresJobs) -> Deliveries:
    """Delivery events, with the job of a desk for mail of its topic."""
    deliveries = Deliveries(database, clock)
    notify_desks_by_job(
        deliveries, jobs, {desk.name: desk.mail_result_job for desk in DESKS if desk.mail_result_job is not None}
    )
    return deliveries


def _search_index(database: Database, cursors: bytes, models: OpenModels, registry: JobRegistry) -> PostgresIndex:
    """The index; with an embedding model also the schedule that keeps vectors up to date."""
    if models.embedder is None:
        return PostgresIndex(database, cursor_key=cursors)
    embeddings = EmbeddingIndex(database, models.embedder)
    registry.schedule(embedding_schedule(embeddings))
    return PostgresIndex(database, cursor_key=cursors, embeddings=embeddings)


def register_work(registry: JobRegistry, events: EventRegistry, schedules: Iterable[Schedule]) -> None:
    """Register all job types, schedules and webhook events."""
    registry.add(DELIVER, webhook_tasks.DELIVER, alert_tasks.RUN_ALERT, search_tasks.REBUILD, DEMO.task)
    for desk in DESKS:
        registry.add(*desk.jobs)
        registry.schedule(*desk.schedules)
        events.add(*desk.events)
    registry.schedule(
        SEND_DUE_MAIL,
        model_tasks.FORGET_ANSWERS,
        webhook_tasks.PRUNE,
        alert_tasks.START_DUE_ALERTS,
        request_tasks.DELETE_EXPIRED_KEYS,
    )
    registry.schedule(*schedules)


def _knowledge(settings: Settings, jobs: PostgresJobs, reader: SourceReader, cursors: bytes) -> StoredKnowledge:
    """Knowledge sources, with their jobs and schedules registered."""
    knowledge_jobs = KnowledgeJobs(reader, jobs)
    jobs.registry.add(knowledge_jobs.read_task)
    jobs.registry.schedule(*knowledge_jobs.schedules)
    return StoredKnowledge(
        database=reader.database,
        jobs=knowledge_jobs,
        cursor_key=cursors,
        max_file_bytes=settings.knowledge_max_mb * 1_000_000,
    )


def _saved_feeds(
    settings: Settings, database: Database, accounts: Accounts, search: SearchIndex, key: bytes
) -> SavedFeeds:
    return SavedFeeds(
        database=database, index=search, accounts=accounts, tokens=FeedTokens(key), public_url=settings.public_url
    )


def _accounts(
    settings: Settings, clock: Clock, database: Database, cursors: bytes, link_sender: LinkMailer
) -> Accounts:
    return Accounts(
        database=database,
        clock=clock,
        link_sender=link_sender,
        base_url=settings.public_url,
        cursor_key=cursors,
        admin_token=settings.admin_token,
        session_life=timedelta(days=settings.session_days),
        oidc=_oidc(settings, clock),
    )


def _oidc(settings: Settings, clock: Clock) -> OidcProvider | None:
    if settings.oidc_issuer is None:
        return None
    if not settings.oidc_client_id or not settings.oidc_client_secret:
        raise SettingError("ALMANAC_OIDC_ISSUER also needs ALMANAC_OIDC_CLIENT_ID and ALMANAC_OIDC_CLIENT_SECRET.")
    return OidcProvider(
        issuer=settings.oidc_issuer,
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret,
        redirect_uri=settings.public_url + OIDC_RETURN,
        clock=clock,
    )


def _fetcher(settings: Settings, clock: Clock) -> HttpFetcher:
    limits = FetchLimits(
        max_bytes=settings.fetch_max_mb * 1_000_000,
        seconds=settings.fetch_seconds,
        user_agent=settings.fetch_user_agent,
    )
    return HttpFetcher(FetchGuard.from_settings(settings.fetch_allow, settings.fetch_ports), limits, clock=clock)


def _objects(settings: Settings, clock: Clock) -> ObjectStore:
    url = settings.objects_url
    match urlsplit(url or "").scheme:
        case "s3":
            return S3ObjectStore.from_url(url or "")
        case "memory":
            return MemoryObjectStore(clock)
        case "file":
            return LocalObjectStore(_folder_of(url or ""), clock)
        case _:
            return LocalObjectStore(settings.data / "objects", clock)


def _folder_of(url: str) -> Path:
    parts = urlsplit(url)
    if parts.netloc or not parts.path.startswith("/"):
        raise SettingError("ALMANAC_OBJECTS_URL must name a whole path, as in file:///srv/almanac/objects.")
    return Path(unquote(parts.path))


def _mail_transport(settings: Settings) -> MailTransport:
    url = settings.mail_url or "outbox:"
    match urlsplit(url).scheme:
        case "smtp" | "smtps":
            return SmtpTransport(SmtpServer.from_url(url))
        case "ses":
            return SesTransport(SesAccount.from_url(url))
        case "memory":
            return MemoryTransport()
        case _:
            return OutboxFolder(settings.data / OUTBOX)


def _sns_topics(settings: Settings) -> tuple[str, ...]:
    """Amazon's topics whose events are believed; none unless mail leaves by SES."""
    url = settings.mail_url or ""
    return tuple(SesAccount.from_url(url).sns_topics) if urlsplit(url).scheme == "ses" else ()


def _sender(settings: Settings) -> Address:
    try:
        return Address.parse(settings.mail_from)
    except InputError as error:
        raise SettingError("ALMANAC_MAIL_FROM must be an address such as Almanac <post@example.org>.") from error


def _make_data_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".write-test"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise SettingError(
            f"The data folder {folder} can't be used ({error.strerror or error}); "
            "set ALMANAC_DATA to a folder this account may write."
        ) from error

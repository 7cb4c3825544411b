"""The adapters that the settings ask for: mail, single sign-on, fetching, models and what is built on them."""

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from almanac.accounts.permissions import Role
from almanac.accounts.port import Accounts
from almanac.accounts.second_factors import SecretBox
from almanac.accounts.sign_on_rules import SignOnRules, parse_domains, parse_grants
from almanac.bootstrap.stores import OUTBOX
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.errors import InputError, SettingError
from almanac.fetch import Fetcher
from almanac.fetch.guard import FetchGuard
from almanac.fetch.http import FetchLimits, HttpFetcher
from almanac.jobs import JobRegistry
from almanac.jobs.postgres import PostgresJobs
from almanac.kit.clock import Clock
from almanac.kit.lazy import lazy_module
from almanac.kit.signatures import derive_key
from almanac.knowledge.jobs import KnowledgeJobs
from almanac.knowledge.service import StoredKnowledge
from almanac.knowledge.source_reader import SourceReader
from almanac.link_mail import LinkMailer
from almanac.llm.assembly import OpenModels, ProviderFactories, open_models
from almanac.llm.sources import StepSource
from almanac.llm.steps.summaries import SUMMARY, SummaryInput
from almanac.mail.deliveries import Deliveries
from almanac.mail.jobs import notify_desks_by_job
from almanac.mail.mail_templates import MailTemplates
from almanac.mail.message import Address
from almanac.mail.model import KEEPING_TRANSPORTS
from almanac.mail.outbox import MemoryTransport, OutboxFolder
from almanac.mail.port import MailTransport
from almanac.mail.service import Mailer
from almanac.mail.ses import SesAccount, SesTransport
from almanac.mail.smtp import SmtpServer, SmtpTransport
from almanac.mail.suppression import Suppressions, UnsubscribeLinks
from almanac.notifications import Notifications
from almanac.notifications.addresses import AddressBook
from almanac.notifications.channels import ChannelSenders, GuardSettings
from almanac.notifications.delivery import TEMPLATES as NOTIFICATION_TEMPLATES
from almanac.notifications.delivery import NotificationDelivery
from almanac.notifications.dispatch import EventSorter
from almanac.notifications.morning_mail import MorningMails
from almanac.notifications.people import People
from almanac.notifications.push_encryption import VapidKey
from almanac.notifications.targets import TargetVault
from almanac.relational import Database
from almanac.saved import Alerts, SavedFeeds
from almanac.saved.alerts import TEMPLATES as ALERT_TEMPLATES
from almanac.saved.feeds import FeedTokens
from almanac.search import SearchIndex
from almanac.search.embeddings import EmbeddingIndex, embedding_schedule
from almanac.search.postgres import PostgresIndex
from almanac.search.vocabulary import tidy_schedule
from almanac.setup import ModelTrial, Setup
from almanac.subscribers import AlertLinks, AlertMails, AlertTokens, Subscribers
from almanac.subscribers.alert_mails import TEMPLATES as SUBSCRIBER_TEMPLATES
from almanac.subscribers.links import KEY as ALERT_LINKS

if TYPE_CHECKING:
    from almanac.accounts import oidc
    from almanac.llm import hosted, hosted_embeddings
else:
    oidc = lazy_module("almanac.accounts.oidc")
    hosted = lazy_module("almanac.llm.hosted")
    hosted_embeddings = lazy_module("almanac.llm.hosted_embeddings")

_TRIAL_TEXT = "The tide gauge at the harbour measured 4.2 metres on Monday, the highest value in eleven years."
PUBLIC_SIDE = "public side"
OIDC_RETURN = "/sign-in/single/return"


def provider_factories(settings: Settings) -> ProviderFactories:
    """pydantic-ai takes seconds to load, so it is loaded by the first question to a model."""
    return ProviderFactories(
        models=lambda model: hosted.open_model(model, settings.llm_output, settings.llm_timeout),
        vectors=lambda model: hosted_embeddings.open_embeddings(model, settings.llm_timeout),
        searches=lambda model: hosted.open_search(model, settings.llm_timeout),
    )


def build_fetcher(settings: Settings, clock: Clock) -> HttpFetcher:
    limits = FetchLimits(
        max_bytes=settings.fetch_max_mb * 1_000_000,
        seconds=settings.fetch_seconds,
        user_agent=settings.fetch_user_agent,
    )
    return HttpFetcher(FetchGuard.from_settings(settings.fetch_allow, settings.fetch_ports), limits, clock=clock)


def open_mail_transport(settings: Settings) -> MailTransport:
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


def list_sns_topics(settings: Settings) -> tuple[str, ...]:
    """Amazon's topics whose events are believed; none unless mail leaves by SES."""
    url = settings.mail_url or ""
    return tuple(SesAccount.from_url(url).sns_topics) if urlsplit(url).scheme == "ses" else ()


def parse_sender(settings: Settings) -> Address:
    """Who mails are from: the address of the settings, under the name of the organisation unless it has its own."""
    try:
        sender = Address.parse(settings.mail_from)
    except InputError as error:
        raise SettingError("ALMANAC_MAIL_FROM must be an address such as Almanac <post@example.org>.") from error
    own_name = sender.name not in ("", "Almanac")
    return sender if own_name or not settings.organisation else Address(sender.email, settings.organisation)


@dataclass(frozen=True, slots=True)
class OpenMail:
    """The parts of mail that other services are built from."""

    transport: MailTransport
    links: UnsubscribeLinks
    mailer: Mailer
    suppressions: Suppressions


def build_mail(settings: Settings, clock: Clock, database: Database, secret: bytes) -> OpenMail:
    transport = open_mail_transport(settings)
    links = UnsubscribeLinks(derive_key(secret, "unsubscribe"), settings.public_url)
    mailer = Mailer(database, transport, clock=clock, sender=parse_sender(settings), links=links)
    return OpenMail(transport, links, mailer, Suppressions(database, clock, links, derive_key(secret, "cursors")))


def build_accounts(settings: Settings, clock: Clock, database: Database, secret: bytes, mail: OpenMail) -> Accounts:
    """The accounts, which tell people by mail what concerns them."""
    return Accounts(
        database=database,
        clock=clock,
        link_sender=LinkMailer(mail.mailer, organisation=settings.organisation),
        base_url=settings.public_url,
        cursor_key=derive_key(secret, "cursors"),
        admin_token=settings.admin_token,
        session_life=timedelta(days=settings.session_days),
        oidc=_oidc(settings, clock),
        sign_on_rules=_sign_on_rules(settings),
        second_factor_key=derive_key(secret, "second-factor"),
        second_factor_roles=_roles(settings.require_second_factor),
        proof_life=timedelta(minutes=settings.confirm_minutes),
        single_user=settings.single_user,
        confirms_addresses=mail.transport.name not in KEEPING_TRANSPORTS,
        desks=frozenset(settings.enabled_desks),
    )


def _roles(names: str) -> frozenset[Role]:
    return frozenset(Role(name.strip()) for name in names.split(",") if name.strip())


def _oidc(settings: Settings, clock: Clock) -> "oidc.OidcProvider | None":
    if settings.oidc_issuer is None:
        return None
    if not settings.oidc_client_id or not settings.oidc_client_secret:
        raise SettingError("ALMANAC_OIDC_ISSUER also needs ALMANAC_OIDC_CLIENT_ID and ALMANAC_OIDC_CLIENT_SECRET.")
    return oidc.OidcProvider(
        issuer=settings.oidc_issuer,
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret,
        redirect_uri=settings.public_url + OIDC_RETURN,
        clock=clock,
        scope=settings.oidc_scopes,
        groups_claim=settings.oidc_groups_claim if settings.oidc_groups else None,
    )


def _sign_on_rules(settings: Settings) -> SignOnRules:
    try:
        grants = parse_grants(settings.oidc_groups)
    except ValueError as error:
        raise SettingError(f"ALMANAC_OIDC_GROUPS {error}.") from error
    return SignOnRules(
        domains=parse_domains(settings.oidc_domains), grants=grants, group_required=settings.oidc_groups_required
    )


def build_notifications(
    settings: Settings, accounts: Accounts, jobs: PostgresJobs, mail: OpenMail, fetcher: Fetcher, secret: bytes
) -> Notifications:
    """Notifications, with every channel that they leave by."""
    database, clock, people = accounts.database, accounts.clock, People(accounts, settings.time_zone)
    delivery = NotificationDelivery(
        database=database,
        clock=clock,
        jobs=jobs,
        people=people,
        mailer=mail.mailer,
        senders=ChannelSenders(
            fetcher=fetcher,
            clock=clock,
            vapid=VapidKey(secret),
            contact=f"mailto:{parse_sender(settings).email}",
            public_url=settings.public_url,
            webhook_key=derive_key(secret, "webhooks"),
            guard=GuardSettings(allow=settings.fetch_allow, ports=settings.fetch_ports),
        ),
        vault=TargetVault(AddressBook(fetcher, SecretBox(derive_key(secret, "notifications")))),
        templates=MailTemplates(NOTIFICATION_TEMPLATES),
        keeps_mail=mail.transport.name in KEEPING_TRANSPORTS,
    )
    sorter = EventSorter(database, clock, jobs, people)
    morning = MorningMails(
        database=database,
        clock=clock,
        people=people,
        mailer=mail.mailer,
        templates=delivery.templates,
        public_url=settings.public_url,
    )
    return Notifications(
        database=database, clock=clock, fetcher=fetcher, sorter=sorter, delivery=delivery, morning=morning
    )


def build_alerts(
    settings: Settings,
    accounts: Accounts,
    jobs: PostgresJobs,
    mail: OpenMail,
    search: SearchIndex,
    notifications: Notifications,
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
        notifications=notifications,
    )


def build_subscribers(
    settings: Settings, clock: Clock, database: Database, secret: bytes, mail: OpenMail
) -> AlertMails:
    """Those who follow something by mail without an account, and the mails to them."""
    # The public side derives the same key from its own, so that it can open the links in these mails.
    tokens = AlertTokens(derive_key(derive_key(secret, PUBLIC_SIDE), ALERT_LINKS))
    links = AlertLinks(settings.public_side_url, tokens)
    templates, organisation = MailTemplates(SUBSCRIBER_TEMPLATES), settings.organisation or "Almanac"
    subscribers = Subscribers(
        database=database,
        clock=clock,
        mailer=mail.mailer,
        suppressions=mail.suppressions,
        templates=templates,
        links=links,
        refusal_key=derive_key(secret, "subscriber refusals"),
        organisation=organisation,
    )
    return AlertMails(
        database=database,
        clock=clock,
        mailer=mail.mailer,
        suppressions=mail.suppressions,
        subscribers=subscribers,
        templates=templates,
        links=links,
        time_zone=settings.time_zone,
        organisation=organisation,
    )


def build_saved_feeds(
    settings: Settings, database: Database, accounts: Accounts, search: SearchIndex, key: bytes
) -> SavedFeeds:
    return SavedFeeds(
        database=database, index=search, accounts=accounts, tokens=FeedTokens(key), public_url=settings.public_url
    )


def build_search_index(database: Database, cursors: bytes, models: OpenModels, registry: JobRegistry) -> PostgresIndex:
    """The index and the schedule that tidies its vocabulary; with an embedding model also the one that keeps vectors up
    to date.
    """
    registry.schedule(tidy_schedule(database))
    if models.embedder is None:
        return PostgresIndex(database, cursor_key=cursors)
    embeddings = EmbeddingIndex(database, models.embedder)
    registry.schedule(embedding_schedule(embeddings))
    return PostgresIndex(database, cursor_key=cursors, embeddings=embeddings)


def build_knowledge(settings: Settings, jobs: PostgresJobs, reader: SourceReader, cursors: bytes) -> StoredKnowledge:
    """Knowledge sources, with their jobs and schedules registered."""
    knowledge_jobs = KnowledgeJobs(reader, jobs)
    jobs.registry.add(knowledge_jobs.read_task)
    schedules = tuple(knowledge_jobs.schedules)
    jobs.registry.add(*(schedule.job_type for schedule in schedules))
    if "newsletter" in settings.enabled_desks:
        jobs.registry.schedule(*schedules)
    return StoredKnowledge(
        database=reader.database,
        jobs=knowledge_jobs,
        cursor_key=cursors,
        max_file_bytes=settings.knowledge_max_mb * 1_000_000,
    )


def build_setup(
    settings: Settings, clock: Clock, database: Database, steps: Collection[str], check: Callable[[Settings], None]
) -> Setup:
    """Set-up, with the adapters that it tries opened for the settings that somebody is about to choose."""

    async def ask_model(wanted: Settings) -> ModelTrial:
        factories = provider_factories(wanted)
        async with open_models(wanted, clock, database, os.environ, factories, steps) as models:
            # Another text each time, because an answer that is known already is not asked for again.
            source = StepSource(
                id="trial", text=f"{_TRIAL_TEXT} This was written on {clock.now():%d %B %Y at %H:%M:%S}."
            )
            written = await models.writer.write(SUMMARY, SummaryInput(sources=(source,), sentences=1), desk="setup")
        answer = " ".join(sentence.text for sentence in written.output.sentences)
        made = written.provenance
        return ModelTrial(made.model, answer, made.seconds, made.cost)

    return Setup(
        settings=settings,
        database=database,
        clock=clock,
        open_transport=open_mail_transport,
        parse_sender=parse_sender,
        ask_model=ask_model,
        check=check,
    )


def build_deliveries(database: Database, clock: Clock, jobs: PostgresJobs) -> Deliveries:
    """Delivery events, with the job of a desk for mail of its topic."""
    deliveries = Deliveries(database, clock)
    notify_desks_by_job(
        deliveries, jobs, {desk.name: desk.mail_result_job for desk in DESKS if desk.mail_result_job is not None}
    )
    return deliveries

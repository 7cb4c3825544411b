"""What a running Almanac holds: settings, clock and ports, made once by bootstrap and passed down to every surface."""

from dataclasses import dataclass

from almanac.accounts.port import Accounts, Principals
from almanac.approvals import Approvals
from almanac.articles import PageReader
from almanac.backup import Backups
from almanac.config import Settings
from almanac.fetch import Fetcher
from almanac.jobs.port import JobsPort
from almanac.judge import SecondJudge
from almanac.kit.clock import Clock
from almanac.kit.signatures import derive_key
from almanac.knowledge import Knowledge
from almanac.llm.assembly import ModelOverview
from almanac.llm.embeddings import TextEmbedder
from almanac.llm.port import StepWriter
from almanac.llm.web_search import WebSearch
from almanac.mail.deliveries import Deliveries
from almanac.mail.mailbox import Mailbox
from almanac.mail.model import KEEPING_TRANSPORTS
from almanac.mail.port import MailTransport
from almanac.mail.service import Mailer
from almanac.mail.sns import SnsInbox
from almanac.mail.suppression import Suppressions
from almanac.notifications import Notifications
from almanac.objects import ObjectStore
from almanac.read_ports import ReadPorts
from almanac.relational import Database
from almanac.saved import Alerts, SavedFeeds, SavedQueries
from almanac.search import SearchIndex
from almanac.search.rebuild import IndexRebuilder
from almanac.setup import Setup
from almanac.subscribers import AlertMails, Subscribers
from almanac.webhooks import Webhooks
from tablature.async_database import AsyncDatabase
from tablature.engine.engine import Engine
from tablature.transport.port import Transport


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Ports only: nothing here says which adapter is behind them. `read_ports` are for what anyone may read, if
    anything is.
    """

    settings: Settings
    clock: Clock
    secret: bytes
    database: Database
    objects: ObjectStore
    tables: AsyncDatabase
    table_service: Transport
    engine: Engine | None
    backups: Backups
    jobs: JobsPort
    mailer: Mailer
    mailbox: Mailbox
    suppressions: Suppressions
    deliveries: Deliveries
    mail_transport: MailTransport
    sns: SnsInbox
    accounts: Accounts
    principals: Principals
    fetcher: Fetcher
    page_reader: PageReader
    approvals: Approvals
    webhooks: Webhooks
    notifications: Notifications
    search: SearchIndex
    knowledge: Knowledge
    rebuilds: IndexRebuilder
    saved: SavedQueries
    saved_feeds: SavedFeeds
    alerts: Alerts
    alert_mails: AlertMails
    writer: StepWriter
    embedder: TextEmbedder | None
    models: ModelOverview
    web_search: WebSearch
    judge: SecondJudge
    setup: Setup
    read_ports: ReadPorts | None = None

    def key(self, purpose: str) -> bytes:
        """The signing key for one purpose, such as `cursors`."""
        return derive_key(self.secret, purpose)

    @property
    def subscribers(self) -> Subscribers:
        """Those who follow something by mail without an account."""
        return self.alert_mails.subscribers

    @property
    def mail_leaves(self) -> bool:
        """Whether mail leaves this machine. If not, it is kept here and reaches nobody."""
        return self.mail_transport.name not in KEEPING_TRANSPORTS

    @property
    def mail_webhook_key(self) -> str:
        """What a mail gateway signs its delivery events with; text, so that it can be pasted into a form."""
        return self.key("mail-webhook").hex()

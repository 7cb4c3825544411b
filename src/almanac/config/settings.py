"""Every setting with its default, what it is for and what its value must satisfy."""

from dataclasses import dataclass, field
from decimal import Decimal
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from almanac.config.checks import (
    Check,
    ascii_line,
    at_least,
    between,
    names_among,
    networks,
    region_name,
    short_line,
    split_addresses,
    table_name,
    time_zone_name,
    url_with_scheme,
    urls_or_folders,
)
from almanac.errors import SettingError

DESK_NAMES = ("news", "recap", "newsletter", "reminders", "habits")
PUBLIC_PARTS = ("recap", "newsletter", "feeds", "status")
PUBLIC_PATH = "/public"


def setting(
    default: object, about: str, *, check: Check | None = None, secret: bool = False, also: str | None = None
) -> Any:
    """Declare one setting: its default, what it is for, what its value must satisfy, another variable that sets it."""
    return field(default=default, metadata={"about": about, "check": check, "secret": secret, "also": also})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. The field name in capitals after `ALMANAC_` is the variable's name."""

    data: Path = setting(Path("data"), "Folder that holds all state; deleting it is a factory reset.")
    organisation: str | None = setting(
        None, "Name of your organisation, in page titles and as the sender of mails.", check=short_line
    )
    host: str = setting("127.0.0.1", "Address to listen on.")
    port: int = setting(8000, "Port to listen on; 0 takes any free one.", check=between(0, 65535))
    base_url: str | None = setting(
        None,
        "Public address, used in links and mails; by default host and port.",
        check=url_with_scheme("http", "https"),
    )
    trusted_proxies: str = setting(
        "127.0.0.1,::1",
        "Proxies, as addresses or networks separated by commas, whose X-Forwarded-For and X-Forwarded-Proto are "
        "believed where the base URL is set.",
        check=networks,
    )
    drain_seconds: int = setting(
        0,
        "Seconds that a web process which is stopping still takes requests while /readyz says 503, for a load "
        "balancer that asks it.",
        check=between(0, 300),
    )
    secret_key: str | None = setting(
        None,
        "Signs cookies, cursors and links; needed when several machines serve, else kept in the data folder.",
        check=lambda value: None if len(value) >= 32 else "must have at least 32 characters",
        secret=True,
    )
    admin_token: str | None = setting(
        None,
        "A fixed API token with every scope, for automation.",
        check=lambda value: None if len(value) >= 16 else "must have at least 16 characters",
        secret=True,
    )
    metrics_token: str | None = setting(
        None,
        "A token with which Prometheus reads `/metrics`; without one, only this machine may.",
        check=lambda value: None if len(value) >= 16 else "must have at least 16 characters",
        secret=True,
    )
    database_url: str | None = setting(
        None,
        "PostgreSQL to use instead of the embedded one.",
        check=url_with_scheme("postgresql", "postgres"),
        secret=True,
    )
    objects_url: str | None = setting(
        None, "Object storage to use instead of a local folder.", check=url_with_scheme("s3", "file", "memory")
    )
    dynamodb_endpoint: str | None = setting(
        None,
        "DynamoDB-compatible endpoint to use instead of the embedded table engine.",
        check=url_with_scheme("http", "https"),
    )
    dynamodb_region: str | None = setting(
        None,
        "Region of the tables; alone, without an endpoint, it means Amazon DynamoDB in that region.",
        check=region_name,
    )
    dynamodb_backups: bool = setting(
        False, "Let the service back up each table by itself too, with every backup; kept as long as those."
    )
    table_history_days: int = setting(
        7,
        "Days for which the embedded tables can be restored to any second; 0 deletes that history.",
        check=between(0, 3650),
    )
    newsletter_table: str = setting(
        "igad-testing-main-table",
        "Table of newsletters, perhaps shared with others; `TABLE_NAME` sets it too.",
        check=table_name,
        also="TABLE_NAME",
    )
    habits_table: str = setting("habits", "Table of points, streaks and achievements.", check=table_name)
    llm_tasks_table: str = setting("llm_tasks", "Table of the recap desk's tasks.", check=table_name)
    articles_table: str = setting("articles", "Table of the recap desk's articles.", check=table_name)
    email_tracking_table: str = setting("EmailTrackingTable", "Table of reminders.", check=table_name)
    spread_tables: bool = setting(
        False, "Spread busy index partitions over shards; programs that read the documented keys then miss new items."
    )
    mail_url: str | None = setting(
        None,
        "How mail is sent; by default it stays in the outbox folder.",
        check=url_with_scheme("smtp", "smtps", "ses", "outbox", "memory"),
        secret=True,
    )
    mail_from: str = setting("Almanac <almanac@localhost>", "Sender of the mails that Almanac sends.")
    processes: int = setting(
        1,
        "Processes that serve pages on one port; with more than one, jobs run in a process of their own.",
        check=between(1, 64),
    )
    worker: bool = setting(True, "Run jobs inside `almanac serve`; turn off where `almanac worker` runs beside it.")
    worker_concurrency: int = setting(4, "Jobs that one worker runs at a time.", check=between(1, 64))
    otlp_endpoint: str | None = setting(
        None,
        "Where an OpenTelemetry collector takes traces by OTLP over HTTP, such as http://127.0.0.1:4318.",
        check=url_with_scheme("http", "https"),
    )
    log_format: Literal["json", "text"] = setting("json", "Form of the log lines.")
    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "info", "Lowest level that is logged; only `debug` logs the messages of unexpected errors."
    )
    desks: str = setting(
        "",
        "Desks that are switched on, separated by commas; by default all. What the others hold is kept.",
        check=names_among(*DESK_NAMES),
    )
    public: str = setting(
        "",
        "What anyone may read without an account, separated by commas: feeds, newsletter, recap, status; by default "
        "nothing.",
        check=names_among(*PUBLIC_PARTS),
    )
    public_base_url: str | None = setting(
        None,
        "Address of the public side if it has one of its own, such as https://open.example.org; by default /public "
        "below the base URL.",
        check=url_with_scheme("http", "https"),
    )
    public_rate_limit_per_minute: int = setting(
        120, "Requests a minute on the public side for one address, over all web processes.", check=between(10, 10**6)
    )
    demo: bool = setting(True, "Load demo content when an empty installation starts for the first time.")
    development: bool = setting(False, "Show pages that are for developers, such as /styleguide.")
    session_days: int = setting(30, "Days after which a sign-in ends.", check=between(1, 365))
    single_user: bool = setting(
        False, "Sign whoever is at this machine in as the administrator; only with a HOST such as 127.0.0.1."
    )
    confirm_minutes: int = setting(
        30,
        "Minutes after a sign-in in which address, second factor and admin tokens are changed without another proof.",
        check=between(1, 1440),
    )
    require_second_factor: str = setting(
        "",
        "Roles, separated by commas, that must sign in in two steps.",
        check=names_among("admin", "approver", "editor", "member"),
    )
    max_body_mb: int = setting(20, "Largest request in megabytes, other than a file.", check=between(1, 1024))
    rate_limit_per_minute: int = setting(
        600, "Requests a minute for one person or address, over all web processes together.", check=between(10, 10**6)
    )
    approve_own_work: bool = setting(True, "Let people approve what they wrote themselves, where they have the right.")
    time_zone: str = setting("UTC", "Time zone of schedules and of people who chose none.", check=time_zone_name)
    backup_keep_days: int = setting(
        14, "Days that scheduled backups are kept; 0 turns them off.", check=between(0, 3650)
    )
    backup_keep_weeks: int = setting(
        0, "Weeks of which the newest scheduled backup is kept beyond those days.", check=between(0, 520)
    )
    backup_keep_months: int = setting(
        0, "Months of which the newest scheduled backup is kept beyond those days.", check=between(0, 240)
    )
    backup_url: str | None = setting(
        None,
        "Where backups go instead of the data folder: file:///folder, or s3://bucket/prefix?endpoint=…&region=….",
        check=url_with_scheme("s3", "file"),
    )
    backup_passphrase: str | None = setting(
        None,
        "Encrypts every backup; without it none can be restored, so keep it elsewhere too.",
        check=lambda value: None if len(value) >= 12 else "must have at least 12 characters",
        secret=True,
    )
    fetch_allow: str = setting(
        "", "Hosts and networks, separated by commas, that may be fetched from although they are private."
    )
    fetch_ports: str = setting("80,443", "Ports, separated by commas, that may be fetched from at any host.")
    fetch_seconds: int = setting(30, "Longest time for fetching one address.", check=between(1, 600))
    fetch_max_mb: int = setting(20, "Largest answer that is fetched, in megabytes.", check=between(1, 1024))
    knowledge_max_mb: int = setting(
        50, "Largest file among the knowledge sources, in megabytes.", check=between(1, 1024)
    )
    fetch_user_agent: str = setting("Almanac", "User agent for requests to other sites.", check=ascii_line)
    recap_source: str = setting(
        "https://kokkai.ndl.go.jp/api",
        "Where records of parliament come from, separated by spaces: the Diet's interface, folders, "
        "hansard+https:// or parlparse+https:// addresses.",
        check=urls_or_folders,
    )
    recap_daily: bool = setting(True, "Collect the records of the last three weeks every day.")
    recap_pause_seconds: int = setting(
        5, "Pause between two requests to the National Diet's interface.", check=between(0, 600)
    )
    recap_pack_tokens: int = setting(
        24_000, "How many tokens of speeches the recap desk shows a model at once.", check=between(1_000, 1_000_000)
    )
    news_delay_ms: int = setting(
        1000,
        "Milliseconds between two requests to one site, unless its robots.txt asks for another pace.",
        check=between(0, 600_000),
    )
    news_per_site: int = setting(2, "Pages of one site that are read at a time.", check=between(1, 64))
    news_at_a_time: int = setting(12, "Links that one news job reads at a time.", check=between(1, 200))
    news_readers: int = setting(2, "Processes in which pages of the news are read.", check=between(1, 64))
    news_search_url: str | None = setting(
        None,
        "Search endpoint for query tasks that answers like SearXNG, in JSON.",
        check=url_with_scheme("http", "https"),
    )
    llm_model: str | None = setting(
        None, "Model that writes, such as openai:gpt-5-mini or google:…; without one everything is done by extraction."
    )
    llm_api_key: str | None = setting(None, "Key for the provider of ALMANAC_LLM_MODEL.", secret=True)
    llm_base_url: str | None = setting(
        None,
        "Address of an OpenAI-compatible server that answers for ALMANAC_LLM_MODEL.",
        check=url_with_scheme("http", "https"),
    )
    llm_steps: str = setting(
        "", "Other models for single steps, as step=model separated by commas; `extractive` asks no model."
    )
    llm_output: Literal["auto", "tool", "schema", "prompt"] = setting(
        "auto", "How models are held to the form of an answer; auto takes what suits the model."
    )
    llm_timeout: int = setting(
        120, "Seconds for one step by a model, with all its tries and its repair.", check=between(1, 3600)
    )
    llm_monthly_cap: Decimal | None = setting(
        None, "US dollars a month for models; when they are used up, work that needs a model waits.", check=at_least(0)
    )
    llm_prices: str = setting(
        "", "Prices that replace the built-in ones, as model=input/output in US dollars for a million tokens."
    )
    llm_judge: str = setting(
        "",
        "Desks whose sentences the model judges after the rules, separated by commas: news, newsletter, recap.",
        check=names_among("news", "newsletter", "recap"),
    )
    llm_embedding_model: str | None = setting(None, "Model that turns texts into vectors for search; none by default.")
    oidc_issuer: str | None = setting(
        None, "OpenID Connect issuer for single sign-on.", check=url_with_scheme("http", "https")
    )
    oidc_client_id: str | None = setting(None, "Client id at the OpenID Connect issuer.")
    oidc_client_secret: str | None = setting(None, "Client secret at the OpenID Connect issuer.", secret=True)
    oidc_scopes: str = setting("openid email profile", "Scopes to ask the OpenID Connect issuer for.", check=ascii_line)
    oidc_domains: str = setting(
        "", "Domains, separated by commas, whose people get an account by single sign-on without an invitation."
    )
    oidc_groups: str = setting(
        "", "What the issuer's groups give, as group=role or group=team:Name, separated by commas."
    )
    oidc_groups_claim: str = setting(
        "groups", "Claim that lists the groups; a path such as realm_access.roles works too.", check=ascii_line
    )
    oidc_groups_required: bool = setting(
        True, "Where groups are mapped, refuse people who are in none of them; without it they become members."
    )

    def check_single_user(self) -> None:
        """Refuse single-user mode where others could reach it."""
        if not self.single_user:
            return
        if not _is_this_machine(self.host):
            raise SettingError(
                f"ALMANAC_SINGLE_USER lets everybody in who reaches {self.host or 'any address'}; set ALMANAC_HOST to "
                "127.0.0.1, or turn it off."
            )
        if self.base_url and not _is_this_machine(urlsplit(self.base_url).hostname or ""):
            raise SettingError(
                "ALMANAC_SINGLE_USER is for this machine only, but ALMANAC_BASE_URL names another address; unset one."
            )

    @property
    def enabled_desks(self) -> tuple[str, ...]:
        """The names of the desks that are switched on, in their usual order; all of them if none is named."""
        chosen = {name.strip() for name in self.desks.split(",")} & set(DESK_NAMES)
        return tuple(name for name in DESK_NAMES if not chosen or name in chosen)

    @property
    def recap_sources(self) -> tuple[str, ...]:
        """The addresses of the sources of records."""
        return split_addresses(self.recap_source)

    @property
    def public_parts(self) -> tuple[str, ...]:
        """What anyone may read: nothing that isn't listed, and nothing of a desk that is switched off."""
        listed = {name.strip() for name in self.public.split(",")}
        closed = set(DESK_NAMES) - set(self.enabled_desks)
        return tuple(name for name in PUBLIC_PARTS if name in listed and name not in closed)

    @property
    def public_side_url(self) -> str:
        """Where anyone reads what is public, without a trailing slash."""
        return (self.public_base_url or self.public_url + PUBLIC_PATH).rstrip("/")

    @property
    def public_url(self) -> str:
        """Where people reach this installation, without a trailing slash."""
        return (self.base_url or browser_address(self.host, self.port)).rstrip("/")


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def browser_address(host: str, port: int) -> str:
    """An address for a browser: a host that listens everywhere is reached by this machine's own name."""
    if host in ("", "0.0.0.0", "::"):  # noqa: S104 - recognised, not bound
        return f"http://localhost:{port}"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"

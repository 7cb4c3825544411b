"""Settings: typed, read once from `ALMANAC_*` variables and almanac.toml; every mistake is one sentence with the cure.

The environment wins over the file, the file over the default. Secrets come only from the environment.
"""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from almanac.errors import SettingError

PREFIX = "ALMANAC_"
FILE_VARIABLE = "ALMANAC_CONFIG"
DEFAULT_FILE = "almanac.toml"

Check = Callable[[Any], str | None]
Source = Literal["environment", "file", "default"]


def between(low: int, high: int) -> Check:
    """The number must lie in a range."""
    return lambda value: None if low <= value <= high else f"must be from {low} to {high}"


def at_least(low: int) -> Check:
    """The number must not be smaller."""
    return lambda value: None if value >= low else f"must be {low} or more"


def url_with_scheme(*schemes: str) -> Check:
    """The text must be an address with one of these schemes, and on the web name its host."""
    refusal = f"must be an address that starts with {' or '.join(f'{scheme}://' for scheme in schemes)}"

    def check(value: str) -> str | None:
        try:
            parts = urlsplit(value)
            parts.port  # noqa: B018 - reading it is what checks it
        except ValueError:
            return refusal
        if parts.scheme in ("http", "https") and not parts.hostname:
            return refusal + " and names a host"
        return None if parts.scheme in schemes else refusal

    return check


def url_or_folder(value: str) -> str | None:
    """The text must be an address on the web, or a folder by its whole path."""
    if not value.startswith("file:"):
        return url_with_scheme("https", "http")(value)
    parts = urlsplit(value)
    is_whole = not parts.netloc and parts.path.startswith("/")
    return None if is_whole else "must name a whole path, as in file:///srv/almanac/records"


def region_name(value: str) -> str | None:
    """The text must be the name of a region."""
    return None if re.fullmatch(r"[a-z0-9-]+", value) else "must be a region such as eu-west-1"


def ascii_line(value: str) -> str | None:
    """The text goes into a header, which holds one line of ASCII."""
    return None if value.isascii() and value.isprintable() else "must be one line of plain letters, digits and signs"


def time_zone_name(value: str) -> str | None:
    """The text must name a time zone."""
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        return "must be a time zone such as UTC or Africa/Nairobi"
    return None


def names_among(*names: str) -> Check:
    """The text must be a list of these names, separated by commas."""

    def check(value: str) -> str | None:
        wrong = {name.strip() for name in value.split(",")} - {"", *names}
        return f"must be a list of {', '.join(names)}" if wrong else None

    return check


def table_name(value: str) -> str | None:
    """The text must be a name that a table can have."""
    is_name = re.fullmatch(r"[A-Za-z0-9_.-]{3,255}", value)
    return None if is_name else "must be 3 to 255 letters, digits, dots, hyphens and underscores"


def setting(
    default: object, about: str, *, check: Check | None = None, secret: bool = False, also: str | None = None
) -> Any:
    """Declare one setting: its default, what it is for, what its value must satisfy, another variable that sets it."""
    return field(default=default, metadata={"about": about, "check": check, "secret": secret, "also": also})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. The field name in capitals after `ALMANAC_` is the variable's name."""

    data: Path = setting(Path("data"), "Folder that holds all state; deleting it is a factory reset.")
    host: str = setting("127.0.0.1", "Address to listen on.")
    port: int = setting(8000, "Port to listen on; 0 takes any free one.", check=between(0, 65535))
    base_url: str | None = setting(
        None,
        "Public address, used in links and mails; by default host and port.",
        check=url_with_scheme("http", "https"),
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
    worker: bool = setting(True, "Run jobs inside `almanac serve`; turn off where `almanac worker` runs beside it.")
    worker_concurrency: int = setting(4, "Jobs that one worker runs at a time.", check=between(1, 64))
    log_format: Literal["json", "text"] = setting("json", "Form of the log lines.")
    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "info", "Lowest level that is logged; only `debug` logs the messages of unexpected errors."
    )
    demo: bool = setting(True, "Load demo content when an empty installation starts for the first time.")
    development: bool = setting(False, "Show pages that are for developers, such as /styleguide.")
    session_days: int = setting(30, "Days after which a sign-in ends.", check=between(1, 365))
    max_body_mb: int = setting(20, "Largest request in megabytes, other than a file.", check=between(1, 1024))
    rate_limit_per_minute: int = setting(600, "Requests a minute for one person or address.", check=between(10, 10**6))
    approve_own_work: bool = setting(True, "Let people approve what they wrote themselves, where they have the right.")
    time_zone: str = setting("UTC", "Time zone of schedules and of people who chose none.", check=time_zone_name)
    backup_keep_days: int = setting(
        14, "Days that scheduled backups are kept; 0 turns them off.", check=between(0, 3650)
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
        "Where records of parliament come from: the Diet's interface, or a folder.",
        check=url_or_folder,
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

    @property
    def public_url(self) -> str:
        """Where people reach this installation, without a trailing slash."""
        return (self.base_url or browser_address(self.host, self.port)).rstrip("/")


def browser_address(host: str, port: int) -> str:
    """An address for a browser: a host that listens everywhere is reached by this machine's own name."""
    if host in ("", "0.0.0.0", "::"):  # noqa: S104 - recognised, not bound
        return f"http://localhost:{port}"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """One setting as `almanac config` shows it; a secret's value is never in it."""

    variable: str
    value: str
    source: Source
    about: str


def load_settings(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """Read the environment and the file in `folder` (by default the current one)."""
    return _read(os.environ if environ is None else environ, folder or Path())[0]


def describe_settings(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> list[SettingInfo]:
    """Every setting with its value, where it came from and what it is for."""
    settings, sources = _read(os.environ if environ is None else environ, folder or Path())
    return [
        SettingInfo(
            _variable(f.name),
            _shown(getattr(settings, f.name), f.metadata["secret"]),
            sources[f.name],
            f.metadata["about"],
        )
        for f in fields(Settings)
    ]


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Variables with our prefix that aren't settings; most likely a typo, worth a warning."""
    expected = {_variable(f.name) for f in fields(Settings)} | {FILE_VARIABLE}
    return sorted(name for name in environ if name.startswith(PREFIX) and name not in expected)


def _read(environ: Mapping[str, str], folder: Path) -> tuple[Settings, dict[str, Source]]:
    file_name = environ.get(FILE_VARIABLE)
    in_file = _read_file(folder / (file_name or DEFAULT_FILE), required=file_name is not None)
    kinds = get_type_hints(Settings)
    values: dict[str, object] = {}
    sources: dict[str, Source] = {}
    for f in fields(Settings):
        variable = _given_variable(f.name, f.metadata["also"], environ)
        sources[f.name] = "default"
        if environ.get(variable, "") != "":
            values[f.name], sources[f.name] = _convert(variable, environ[variable], kinds[f.name]), "environment"
        elif f.name in in_file:
            _refuse_secret(f.name, f.metadata["secret"])
            values[f.name], sources[f.name] = _convert(f.name, in_file[f.name], kinds[f.name]), "file"
        _apply_check(variable, values.get(f.name), f.metadata["check"])
    return Settings(**cast("dict[str, Any]", values)), sources


def _read_file(path: Path, *, required: bool) -> dict[str, object]:
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        if required:
            raise SettingError(f"{FILE_VARIABLE} names {path}, which does not exist.") from None
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingError(f"{path} can't be read as TOML: {error}.") from error
    names = [f.name for f in fields(Settings)]
    for name in content:
        if name not in names:
            close = get_close_matches(name, names, n=1)
            hint = f"did you mean {close[0]}?" if close else "`almanac config` lists them all."
            raise SettingError(f"{path} sets {name}, which is not a setting; {hint}")
    return content


def _refuse_secret(name: str, secret: bool) -> None:
    if secret:
        raise SettingError(f"{name} is a secret: set {_variable(name)} in the environment instead of {DEFAULT_FILE}.")


def _apply_check(variable: str, value: object, check: Check | None) -> None:
    if value is not None and check is not None and (wrong := check(value)) is not None:
        raise SettingError(f"{variable} {wrong}.")


def _convert(name: str, value: object, kind: Any) -> object:
    """Turn text from the environment, or a value from the file, into the type of the setting."""
    if get_origin(kind) is Literal:
        return _one_of(name, value, get_args(kind))
    kinds = get_args(kind) or (kind,)
    if bool in kinds:
        return _flag(name, value)
    if int in kinds:
        return _whole(name, value)
    if Decimal in kinds:
        return _amount(name, value)
    if not isinstance(value, str):
        raise SettingError(f"{name} must be text, in quotes.")
    return _place(name, value) if Path in kinds else value


def _place(name: str, value: str) -> Path:
    try:
        return Path(value).expanduser()
    except RuntimeError as error:
        raise SettingError(f"{name} names the home of an account that isn't here; write the whole path.") from error


def _one_of(name: str, value: object, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise SettingError(f"{name} must be one of {', '.join(allowed)}.")
    return str(value)


def _flag(name: str, value: object) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    word = str(value).strip().lower()
    if word not in words:
        raise SettingError(f"{name} must be yes or no.")
    return words[word]


def _whole(name: str, value: object) -> int:
    try:
        if isinstance(value, str):
            return int(value.strip())
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    except ValueError:
        pass
    raise SettingError(f"{name} must be a whole number.")


def _amount(name: str, value: object) -> Decimal:
    try:
        amount = Decimal(str(value).strip())
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or isinstance(value, bool):
        raise SettingError(f"{name} must be a number such as 20 or 7.50.")
    return amount


def _variable(name: str) -> str:
    return PREFIX + name.upper()


def _given_variable(name: str, also: str | None, environ: Mapping[str, str]) -> str:
    """The variable that sets it: our own, or where that is empty the other one."""
    variable = _variable(name)
    return also if also is not None and not environ.get(variable) and environ.get(also) else variable


def _shown(value: object, secret: bool) -> str:
    if value is None:
        return ""
    return "set, not shown" if secret else str(value)

"""Canonical URLs: one spelling for all addresses of a page, and which other addresses a page may state for itself."""

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from posixpath import normpath
from unicodedata import normalize
from urllib.parse import SplitResult, unquote, unquote_plus, urljoin, urlsplit

from almanac.desks.news.model.tracking_params import (
    INDEX_NAMES,
    NAMING_SEGMENTS,
    REGISTRIES,
    VARIANT_LABELS,
    is_tracking,
)
from almanac.errors import InputError
from almanac.fetch.hosts import ascii_host
from almanac.kit.messages import gettext

LONGEST = 2000
_LONGEST_HOST, _LONGEST_DOMAIN = 253, 255
_PLAIN = re.compile(r"[A-Za-z0-9/._~!$'()*,:@+-]*")
_PLAIN_QUERY = re.compile(r"[A-Za-z0-9_.~=&-]*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNSAFE = re.compile(r"[^A-Za-z0-9/._~!$&'()*,;=:@%+-]")
_UNSAFE_IN_QUERY = re.compile(r"[^A-Za-z0-9._~-]")
# Besides letters and figures: what means the same in a path with and without its escape.
_PLAIN_IN_PATH = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!'()*,:@")
# An escape of an accent that stands by itself, which is half of a letter that can be written as one.
_ACCENT = re.compile(r"%c[cd]%", re.IGNORECASE)
_LETTERS = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_NOT_IN_URL = re.compile(r"[\t\r\n\x00]")
# What is copied along with an address: the brackets around it in a mail, and marks that nobody sees.
_AROUND_URL = "<> \u200b\u200e\u200f\u2060\ufeff"
_SLASHES = re.compile(r"/{2,}")
_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;?]*", re.IGNORECASE)
_AMP_FILE = re.compile(r"\.amp(?=\.html?$|\.php$|$)|(?<=/)amp\.html?$", re.IGNORECASE)
_AMP_CACHE = re.compile(r"/(?:c|v|i|r|a|wp)(?:/s)?/(.+)", re.DOTALL)
_AMP_VIEWER = re.compile(r"/amp/(?:s/)?(.+)", re.DOTALL)
_VIEWERS = frozenset({"google", "bing"})
_CACHES = "ampproject"
# Who counts clicks, at which path, and which parameter has the address.
_WRAPPERS: dict[str, dict[str, tuple[str, ...]]] = {
    "google": {"/url": ("url", "q")},
    "facebook": {"/l.php": ("u",), "/flx/warn/": ("u",)},
    "instagram": {"/": ("u",)},
    "duckduckgo": {"/l/": ("uddg",)},
    "youtube": {"/redirect": ("q",)},
    "linkedin": {"/safety/go": ("url",), "/redir/redirect": ("url",)},
    "vk": {"/away.php": ("to",)},
    "umblr": {"/redirect": ("z",)},
    "slack-redir": {"/link": ("url",)},
    "outlook": {"/": ("url",)},
}
_COUNTING_HOSTS = {"out.reddit.com": ("url",)}
_WRAPPING = frozenset({*_WRAPPERS, *_VIEWERS, _CACHES, "reddit"})
_DEFAULT_PORTS = frozenset({80, 443, None})
_MOST_WRAPPINGS = 3
# What stands before a figure may be a host, unless it is known for something else.
_OTHER_SCHEME = re.compile(
    r"(?:tel|sms|fax|callto|mailto|geo|urn|sip|skype|whatsapp):|[a-z][a-z0-9+.-]*:(?!//|\d)", re.IGNORECASE
)
# A name has no empty part; the one dot that may end it stands for the root.
_NO_NAME = re.compile(r"^[.-]|\.\.")
_NO_HOST = gettext("The host of the address isn't a valid name; check it.")
_NO_WEB = gettext("Only addresses that start with http:// or https:// can be followed.")
_HOME_PAGES = frozenset({"/", "/en", "/zh", "/ms", "/home", "/index"})


def canonical_url(url: str) -> str:
    """The spelling that all addresses of one page share; an InputError for what is no web address."""
    return _canonical(_unwrapped_parts(_plain_address(url)))


def canonical_url_and_domain(url: str) -> tuple[str, str]:
    """The canonical address and the domain whose patience it costs to fetch this one."""
    parts = _split(_plain_address(url))
    domain = _domain(parts.hostname or "", parts.port)
    return _canonical(_unwrapped_parts(parts)), domain


def url_domain(url: str) -> str:
    """The domain whose patience an address costs: the host in lower case without `www.`, with a special port."""
    parts = _split(_plain_address(url))
    return _domain(parts.hostname or "", parts.port)


def url_hash(canonical: str) -> str:
    """What two addresses of one page have in common in `news_links.url_hash`."""
    return hashlib.sha256(canonical.encode()).hexdigest()


def other_urls(url: str, *, final: str, stated: str | None) -> list[str]:
    """Canonical addresses besides the link's own, the best last. `stated` is the page's rel=canonical."""
    own = canonical_url(url)
    urls = [canonical_url(final)] if leads_to_page(final, url) else []
    if stated and (believed := trusted_canonical_url(stated, final)):
        urls.append(believed)
    return [address for address in dict.fromkeys(urls) if address != own]


def trusted_canonical_url(stated: str, page: str) -> str | None:
    """What a page calls itself, canonical; None where that is another site or a front page for every article."""
    try:
        there, here = canonical_url(urljoin(page, stated.strip())), canonical_url(page)
    except (InputError, ValueError):
        return None
    if not _same_site(there, here) or (_is_home(there) and not _is_home(here)):
        return None
    return there


def leads_to_page(final: str, url: str) -> bool:
    """A link that ends on a front page led nowhere: many sites answer so for pages that are gone."""
    try:
        return not _is_home(canonical_url(final)) or _is_home(canonical_url(url))
    except InputError:
        return False


def _is_home(canonical: str) -> bool:
    parts = urlsplit(canonical)
    return parts.path.lower() in _HOME_PAGES and not parts.query and not parts.fragment


def _same_site(first: str, second: str) -> bool:
    hosts: Sequence[str] = sorted((urlsplit(first).netloc, urlsplit(second).netloc), key=len)
    return hosts[0] == hosts[1] or (hosts[1].endswith("." + hosts[0]) and hosts[0].count(".") > 0)


def _canonical(parts: SplitResult) -> str:
    query = _query(parts.query)
    return f"https://{_site(parts)}{_path(parts.path)}{'?' + query if query else ''}{_route(parts.fragment)}"


def _plain_address(url: str) -> str:
    if not url.isascii():
        # Half a character is none, and can't be hashed.
        url = url.encode("utf-8", "ignore").decode()
    address = _NOT_IN_URL.sub("", url).strip().strip(_AROUND_URL).replace("\\", "/")
    if len(address) > LONGEST:
        raise InputError(
            gettext("An address may have %(limit)s characters at most; this one is longer.", limit=f"{LONGEST:,}")
        )
    return address


def _unwrapped_parts(address: str | SplitResult) -> SplitResult:
    parts = _split(address) if isinstance(address, str) else address
    for _ in range(_MOST_WRAPPINGS):
        inner = _unwrapped(parts)
        if inner is None:
            break
        parts = _split(inner)
    return parts


def _site(parts: SplitResult) -> str:
    """The host without its variants, with the port where it is a special one."""
    host = _host(parts.hostname or "")
    port = parts.port
    return host if port in _DEFAULT_PORTS else f"{host}:{port}"


@lru_cache(maxsize=10_000)
def _domain(host: str, port: int | None) -> str:
    plain = _ascii(host.rstrip("."))
    plain = plain.removeprefix("www.") if plain.count(".") > 1 else plain
    shown = f"[{plain}]" if ":" in plain else plain
    domain = shown if port in _DEFAULT_PORTS else f"{shown}:{port}"
    if len(domain) > _LONGEST_DOMAIN:
        raise InputError(_NO_HOST)
    return domain


def _split(address: str) -> SplitResult:
    if _OTHER_SCHEME.match(address):
        raise InputError(_NO_WEB)
    if "://" not in address[:12]:
        address = f"https:{address}" if address.startswith("//") else f"https://{address}"
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - reading it is what checks it
    except ValueError as error:
        raise InputError(
            gettext("That isn't a valid web address; it should look like https://example.org/page.")
        ) from error
    if parts.scheme.lower() not in ("http", "https"):
        raise InputError(_NO_WEB)
    if not parts.hostname or " " in parts.netloc or _NO_NAME.search(parts.hostname):
        raise InputError(gettext("That isn't a complete web address; it should look like https://example.org/page."))
    return parts


def _unwrapped(parts: SplitResult) -> str | None:
    """The address inside one of an AMP cache, an AMP viewer or a link counter."""
    host = (parts.hostname or "").lower()
    owner = _owner(host)
    if owner not in _WRAPPING:
        return None
    tail = f"?{parts.query}" if parts.query else ""
    if owner == _CACHES and (match := _AMP_CACHE.fullmatch(parts.path)):
        return f"https://{match[1]}{tail}"
    if owner in _VIEWERS and (match := _AMP_VIEWER.fullmatch(parts.path)):
        return f"https://{match[1].removeprefix('https://').removeprefix('http://')}{tail}"
    names = _COUNTING_HOSTS.get(host) or _WRAPPERS.get(owner, {}).get(parts.path or "/", ())
    given = dict(_pairs(parts.query)) if names else {}
    return next((given[name] for name in names if given.get(name, "").startswith(("http://", "https://"))), None)


@lru_cache(maxsize=10_000)
def _owner(host: str) -> str:
    """The name that somebody registered: `google` of www.google.com.my. Others may have it within theirs."""
    labels = host.rstrip(".").split(".")[:-1]
    if len(labels) > 1 and labels[-1] in REGISTRIES:
        labels.pop()
    return labels[-1] if labels else ""


@lru_cache(maxsize=10_000)
def _host(host: str) -> str:
    labels = _ascii(host.rstrip(".")).split(".")
    if labels[-1].isdecimal() or ":" in host:
        return f"[{host}]" if ":" in host else ".".join(labels)
    # Two labels at most: `www.m.example.org`, and the second place as in `en.m.wikipedia.org`.
    while len(labels) > 2 and labels[0] in VARIANT_LABELS and _registered(labels[1:], www=labels[0] == "www"):
        labels = labels[1:]
    if len(labels) > 3 and labels[1] in ("m", "mobile", "amp") and _registered(labels[2:], www=False):
        del labels[1]
    return ".".join(labels)


def _registered(labels: list[str], *, www: bool) -> bool:
    """Whether these labels are a name that somebody has, and not only the ending below which people have names."""
    return www or len(labels) > 2 or labels[0] not in REGISTRIES


def _ascii(host: str) -> str:
    try:
        name = host.lower() if host.isascii() else ascii_host(host).lower()
    except ValueError as error:
        raise InputError(_NO_HOST) from error
    if len(name) > _LONGEST_HOST:
        raise InputError(_NO_HOST)
    return name


def _path(path: str) -> str:
    if not path or path == "/":
        return "/"
    if not _PLAIN.fullmatch(path):
        path = _encoded(_SESSION.sub("", path), _UNSAFE)
    if "//" in path:
        path = _SLASHES.sub("/", path)
    if "/." in path:
        path = normpath(path) + ("/" if path.endswith("/") else "")
    lowered = path.lower()
    if "amp" in lowered:
        path = _without_amp(path)
        lowered = path.lower()
    if lowered[lowered.rfind("/") + 1 :] in INDEX_NAMES:
        path = path[: path.rfind("/") + 1]
    return path.rstrip("/") or "/"


def _without_amp(path: str) -> str:
    path = _AMP_FILE.sub("", path.rstrip("/"))
    segments = path.rstrip("/").split("/")
    while segments[-1].lower() == "amp" and (len(segments) < 2 or segments[-2].lower() not in NAMING_SEGMENTS):
        segments.pop()
    if len(segments) > 2 and segments[1].lower() == "amp":
        del segments[1]
    return "/".join(segments) or "/"


def _query(query: str) -> str:
    if not query:
        return ""
    kept = [(name, value) for name, value in _pairs(query) if name and not is_tracking(name, value)]
    if not kept:
        return ""
    kept.sort(key=lambda pair: pair[0])
    named = (f"{_in_query(name)}={_in_query(value)}" if value else _in_query(name) for name, value in kept)
    return "&".join(dict.fromkeys(named))


def _pairs(query: str) -> list[tuple[str, str]]:
    plain = _PLAIN_QUERY.fullmatch(query) is not None
    pairs: list[tuple[str, str]] = []
    for piece in query.replace("&amp;", "&").split("&"):
        name, _, value = piece.partition("=")
        pairs.append((name, value) if plain else (_read(name), _read(value)))
    return pairs


def _read(text: str) -> str:
    try:
        return unquote_plus(text, errors="strict")
    except UnicodeDecodeError:
        return text


def _in_query(text: str) -> str:
    return _UNSAFE_IN_QUERY.sub(_percent, text if text.isascii() else normalize("NFC", text))


def _encoded(path: str, unsafe: re.Pattern[str]) -> str:
    """Escapes in capitals, none for what needs none, and one for everything that does; letters with their accents."""
    if not path.isascii() or _ACCENT.search(path):
        path = normalize("NFC", _LETTERS.sub(_letters, path))
    escaped = unsafe.sub(_percent, path)
    return _ESCAPE.sub(lambda match: _plain_or_capital(match[1]), escaped)


def _letters(match: re.Match[str]) -> str:
    try:
        return unquote(match[0], errors="strict")
    except UnicodeDecodeError:
        return match[0]


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _plain_or_capital(digits: str) -> str:
    character = chr(int(digits, 16))
    return character if character in _PLAIN_IN_PATH else f"%{digits.upper()}"


def _route(fragment: str) -> str:
    """A fragment names a place on a page, except where an application keeps its pages there."""
    if fragment.startswith(("!", "/")) and len(fragment) > 1:
        return f"#{fragment.rstrip('/')}"
    return ""

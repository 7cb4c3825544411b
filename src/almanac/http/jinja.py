"""The Jinja environment: templates of the platform and of every desk, our filters, and the component macros by name."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from types import CodeType, SimpleNamespace
from zoneinfo import ZoneInfo

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.filters import do_urlencode
from jinja2.utils import missing, url_quote
from markupsafe import Markup

from almanac.accounts.passwords import ADVICE
from almanac.accounts.permissions import Role
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.http.state_labels import label_state
from almanac.http.template_runtime import QuickContext, QuickTemplate
from almanac.kit.catalogs import SOURCE_LANGUAGE, get_catalog, language_tag
from almanac.kit.clock import Clock
from almanac.kit.locale_formats import (
    DayShape,
    format_day,
    format_exact,
    format_figure,
    format_money,
    format_number,
    format_relative,
    format_shape,
    format_weekday,
    weekday_name,
)
from almanac.kit.messages import gettext, ngettext, speaking, spoken_language, translate
from almanac.kit.money import Money
from almanac.kit.stored_messages import translate_stored
from almanac.kit.text import shorten
from almanac.kit.time_zones import label_zone, list_zones

_BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


def browser_name(user_agent: str) -> str:
    """`Firefox on Linux`, or the first word of the User-Agent header of another program."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if browser and system:
        return gettext("%(browser)s on %(system)s", browser=browser, system=system)
    return browser or user_agent.partition("/")[0][:40] or gettext("Unknown browser")


METHOD_WORDS = {
    SignInMethod.PASSWORD: gettext("Password"),
    SignInMethod.LINK: gettext("One-time link"),
    SignInMethod.PASSKEY: gettext("Passkey"),
    SignInMethod.SIGN_ON: gettext("Single sign-on"),
    SignInMethod.LOCAL: gettext("Single-user mode"),
    SignInMethod.UNKNOWN: gettext("Signed in"),
}
ROLE_NAMES = {
    Role.ADMIN: gettext("Admin"),
    Role.EDITOR: gettext("Editor"),
    Role.APPROVER: gettext("Approver"),
    Role.MEMBER: gettext("Member"),
}


def place_name(address: str) -> str:
    """`this machine`, `your network (192.168.1.7)`, or the address itself."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if parsed.is_loopback:
        return gettext("this machine")
    return gettext("your network (%(address)s)", address=address) if parsed.is_private else address


# Filled in with `%`: `format` takes four times as long, and a page shows many times.
_TIME = Markup('<time datetime="%s" title="%s">%s</time>')
_NEVER = Markup('<span class="faint">%s</span>')
_JUST_NOW_SECONDS = 5
_NEAR_DAYS = {0: gettext("today"), 1: gettext("yesterday"), -1: gettext("tomorrow")}
_MOST_ICONS = 1024


def relative_time(moment: datetime, now: datetime, zone: str) -> str:
    """`just now`, `3 minutes ago`, `in 2 hours`, or the local date if it is more than a month away."""
    if abs((now - moment).total_seconds()) < _JUST_NOW_SECONDS:
        return translate(gettext("just now"))
    return format_relative(moment, now, zone, spoken_language())


def exact_time(moment: datetime, zone: str) -> str:
    """The full date and time with the zone's name."""
    return format_exact(moment, zone, spoken_language())


def time_element(moment: datetime | None, now: datetime, zone: str) -> Markup:
    """A time as HTML: relative, with the exact time on hover; None is "never"."""
    if moment is None:
        return _NEVER % gettext("never")
    return _TIME % (moment.isoformat(), exact_time(moment, zone), relative_time(moment, now, zone))


def found_time_element(moment: datetime, now: datetime, zone: str) -> Markup:
    """The time of something that was found. Midnight of UTC stands for a day whose time nobody knows: `yesterday`."""
    if moment.astimezone(UTC).time() != time():
        return time_element(moment, now, zone)
    day = moment.astimezone(UTC).date()
    ago = (now.astimezone(ZoneInfo(zone)).date() - day).days
    near = _NEAR_DAYS.get(ago)
    words = translate(near) if near else format_relative(now - timedelta(days=ago), now, zone, spoken_language())
    return _TIME % (day.isoformat(), format_day(day, spoken_language()), words)


def _trusted(text: str) -> Markup:
    """A text of the catalogs, which are our own files: its tags are markup."""
    return Markup(text)  # noqa: S704


def template_gettext(source: str, /, **values: object) -> Markup:
    """A text of a template in the language being spoken. Its tags are ours; the values are escaped."""
    pattern = _trusted(get_catalog(spoken_language()).gettext(source))
    return pattern % values if "%" in pattern else pattern


def template_ngettext(singular: str, plural: str, number: int, /, **values: object) -> Markup:
    """A text of a template that depends on a number, shown as `%(num)s`."""
    language = spoken_language()
    pattern = _trusted(get_catalog(language).ngettext(singular, plural, number))
    return pattern % {"num": format_number(number, language), **values}


def template_pgettext(context: str, source: str, /, **values: object) -> Markup:
    """A text of a template whose English means different things in different places."""
    pattern = _trusted(get_catalog(spoken_language()).gettext(source, context))
    return pattern % values if "%" in pattern else pattern


def duration(seconds: float | None) -> str:
    """`0.4 s`, `12 s`, `3 min 20 s`."""
    if seconds is None:
        return ""
    if seconds < 10:
        return f"{format_figure(Decimal(f'{seconds:.1f}'), spoken_language())} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


SHARED_TEMPLATES = Path(str(files("almanac.http"))) / "templates"


class StrictNames(StrictUndefined):
    """A variable that wasn't passed is an error; a missing member of a mapping is false."""

    __slots__ = ()

    def __bool__(self) -> bool:  # type: ignore[override] # the base class always raises; this one is false for members
        if self._undefined_obj is missing:
            self._fail_with_undefined_error()
        return False


class TemplateCache(BytecodeCache):
    """Compiled templates of this process, shared by its environments; a changed template is compiled again."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[bucket.key, bucket.checksum] = bucket.code


_COMPILED = TemplateCache()


class Templates:
    """Renders templates by name. `ui` in a template holds every component macro."""

    def __init__(
        self, folders: Sequence[Path], *, asset: Callable[[str], str], clock: Clock, reload_changes: bool = False
    ) -> None:
        """With `reload_changes`, each rendering checks whether its files changed; otherwise each file is read once."""
        self._clock = clock
        self._environment = Environment(
            loader=FileSystemLoader([*folders, SHARED_TEMPLATES]),
            autoescape=True,
            undefined=StrictNames,
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=_COMPILED,
            auto_reload=reload_changes,
        )
        self._environment.context_class = QuickContext
        self._environment.template_class = QuickTemplate
        self._environment.filters.update(
            moment=self._moment,
            found_moment=self._found_moment,
            shorten=_shorten,
            stored=translate_stored,
            duration=duration,
            file_size=file_size,
            initials=initials,
            state_option=_state_option,
            role_option=_role_option,
            browser=browser_name,
            place=place_name,
            sign_in_method=METHOD_WORDS.__getitem__,
            role_name=_role_name,
            state_label=label_state,
            inline_code=inline_code,
            urlencode=_escape_url,
            money=Money,
            amount=_amount,
            day=_day,
            shaped=_shaped,
            timestamp=_timestamp,
            clock_time=_clock_time,
            capitalized=capitalized,
            weekday_initial=_weekday_initial,
            number=_number,
            tag=language_tag,
            zone_label=label_zone,
        )
        # `{% trans %}` calls these; a text over several lines is one line for translators.
        self._environment.add_extension("jinja2.ext.i18n")
        self._environment.policies["ext.i18n.trimmed"] = True
        self._environment.newstyle_gettext = True  # type: ignore[attr-defined] # an attribute of the extension
        self._environment.globals.update(
            _=template_gettext, gettext=template_gettext, ngettext=template_ngettext, pgettext=template_pgettext
        )
        self._environment.globals["asset"] = asset
        self._environment.globals["list_zones"] = self._list_zones
        self._environment.globals["password_advice"] = ADVICE
        self._environment.globals["icon"] = self._icon()
        self._environment.globals["ui"] = self._components()

    def render(self, name: str, /, **values: object) -> str:
        """The text of a template, with its messages in the language among the values; English without one."""
        with speaking(str(values.get("language", SOURCE_LANGUAGE))):
            return self._environment.get_template(name).render(**values)

    def _components(self) -> SimpleNamespace:
        macros: dict[str, object] = {}
        for path in sorted((SHARED_TEMPLATES / "components").glob("*.html")):
            module = self._environment.get_template(f"components/{path.name}").module
            macros.update((name, value) for name, value in vars(module).items() if not name.startswith("_"))
        return SimpleNamespace(**macros | {"icon": self._environment.globals["icon"]})

    def _icon(self) -> Callable[..., Markup]:
        """The macro `icon`, each drawn once: a page shows forty of a few dozen."""
        macro = vars(self._environment.get_template("components/icon.html").module)["icon"]
        return lru_cache(_MOST_ICONS)(macro)

    def _list_zones(self) -> tuple[tuple[str, str, str], ...]:
        """Time zones by name, label and offset of today, in the language being spoken."""
        return _zones_of_day(spoken_language(), self._clock.now().date())

    def _found_moment(self, moment: datetime, zone: str) -> Markup:
        return found_time_element(moment, self._clock.now(), zone)

    def _moment(self, moment: datetime | None, zone: str) -> Markup:
        return time_element(moment, self._clock.now(), zone)


@lru_cache(maxsize=16)
def _zones_of_day(language: str, day: date) -> tuple[tuple[str, str, str], ...]:
    noon = datetime.combine(day, time(12), UTC)
    return tuple(
        (zone, label, f"UTC{noon.astimezone(ZoneInfo(zone)).isoformat()[-6:]}")
        for zone, label in list_zones(language).items()
    )


def _shorten(text: str, length: int) -> str:
    return shorten(translate(text), length)


def _day(day: date) -> str:
    return format_day(day, spoken_language())


def capitalized(text: str) -> str:
    """The text with its first letter as a capital, as at the start of a line."""
    translated = translate(text)
    return translated[:1].upper() + translated[1:]


def _timestamp(moment: datetime, zone: str) -> str:
    """A day with its weekday and the local time of a zone."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{format_weekday(local.date(), spoken_language())} {local:%H:%M}"


def _clock_time(moment: datetime, zone: str) -> Markup:
    """The local time of a zone, as `07:30`; for lists whose day is known."""
    local = moment.astimezone(ZoneInfo(zone))
    return _TIME % (moment.isoformat(), exact_time(moment, zone), f"{local:%H:%M}")


def _shaped(day: date, shape: DayShape) -> str:
    return format_shape(day, shape, spoken_language())


def _weekday_initial(day: date) -> str:
    return weekday_name(day.weekday(), "narrow", spoken_language())


def _number(number: float | Decimal) -> str:
    return format_number(number, spoken_language())


def _amount(money: Money) -> str:
    return format_money(money, spoken_language())


def _role_name(role: Role | str) -> str:
    return ROLE_NAMES[Role(role)]


def file_size(size: int) -> str:
    """`820 bytes`, `12 KB`, `3.4 MB`."""
    if size < 1000:
        return ngettext("%(num)s byte", "%(num)s bytes", size)
    language = spoken_language()
    if size < 1_000_000:
        return f"{format_number(round(size / 1000), language)} KB"
    return f"{format_number(Decimal(f'{size / 1_000_000:.1f}'), language)} MB"


def inline_code(text: str) -> Markup:
    """Escaped text with everything between backquotes as code."""
    forms = (Markup("{}"), Markup("<code>{}</code>"))
    return Markup("").join(forms[i % 2].format(piece) for i, piece in enumerate(text.split("`")))


def _escape_url(value: str | Mapping[str, object] | Iterable[tuple[str, object]]) -> str:
    """What Jinja's own filter of this name gives; a page escapes the same few texts again and again."""
    return _escape_text(value) if isinstance(value, str) else do_urlencode(value)


@lru_cache(maxsize=4096)
def _escape_text(text: str) -> str:
    return url_quote(text)


def _state_option(code: str) -> tuple[str, str]:
    return code, label_state(code)


def _role_option(role: str) -> tuple[str, str]:
    return role, _role_name(role)


def initials(name: str) -> str:
    """Up to two letters that stand for a person."""
    words = name.split() or ["?"]
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper()

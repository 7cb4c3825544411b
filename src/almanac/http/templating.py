"""The Jinja environment: templates of the platform and of every desk, our filters, and each component macro by name."""

from collections.abc import Callable, Sequence
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from types import CodeType, SimpleNamespace

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.utils import missing
from markupsafe import Markup

from almanac.http import moments
from almanac.http.browsers import browser_name
from almanac.kit.clock import Clock
from almanac.kit.money import Money
from almanac.kit.text import counted, shorten

SHARED = Path(str(files("almanac.http"))) / "templates"


class StrictNames(StrictUndefined):
    """A name that nobody passed is an error; a member that a mapping lacks may be asked about, and is false."""

    __slots__ = ()

    def __bool__(self) -> bool:  # type: ignore[override] # the base class never answers; this one does for members
        if self._undefined_obj is missing:
            self._fail_with_undefined_error()
        return False


class CompiledTemplates(BytecodeCache):
    """What was compiled in this process, for every environment of it; a template that changed is compiled again."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[bucket.key, bucket.checksum] = bucket.code


_COMPILED = CompiledTemplates()


class Templates:
    """Renders templates by name. `ui` in a template holds every component macro."""

    def __init__(
        self, folders: Sequence[Path], *, asset: Callable[[str], str], clock: Clock, follow_edits: bool = False
    ) -> None:
        """With `follow_edits`, each rendering looks whether its files changed; otherwise each is read once."""
        self._clock = clock
        self._environment = Environment(
            loader=FileSystemLoader([*folders, SHARED]),
            autoescape=True,
            undefined=StrictNames,
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=_COMPILED,
            auto_reload=follow_edits,
        )
        self._environment.filters.update(
            moment=self._moment,
            counted=counted,
            shorten=shorten,
            duration=moments.duration,
            file_size=file_size,
            initials=initials,
            pair=pair,
            browser=browser_name,
            inline_code=inline_code,
            money=Money,
        )
        self._environment.globals["asset"] = asset
        self._environment.globals["ui"] = self._components()

    def render(self, name: str, /, **values: object) -> str:
        """The text of a template."""
        return self._environment.get_template(name).render(**values)

    def _components(self) -> SimpleNamespace:
        macros: dict[str, object] = {}
        for path in sorted((SHARED / "components").glob("*.html")):
            module = self._environment.get_template(f"components/{path.name}").module
            macros.update((name, value) for name, value in vars(module).items() if not name.startswith("_"))
        return SimpleNamespace(**macros)

    def _moment(self, moment: datetime | None, zone: str) -> Markup:
        return moments.time_element(moment, self._clock.now(), zone)


def file_size(size: int) -> str:
    """`820 bytes`, `12 KB`, `3.4 MB`."""
    if size < 1000:
        return counted(size, "byte")
    return f"{size / 1000:,.0f} KB" if size < 1_000_000 else f"{size / 1_000_000:,.1f} MB"


def inline_code(text: str) -> Markup:
    """Escaped text in which what stands between back quotes is code."""
    forms = (Markup("{}"), Markup("<code>{}</code>"))
    return Markup("").join(forms[i % 2].format(piece) for i, piece in enumerate(text.split("`")))


def pair(value: str) -> tuple[str, str]:
    """A value as an option of a select: what is sent and what is read."""
    return value, value.capitalize()


def initials(name: str) -> str:
    """Up to two letters that stand for a person."""
    words = name.split() or ["?"]
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper()

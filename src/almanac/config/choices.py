"""What people chose in set-up: settings.toml in the data folder, private to its account and replaced as a whole.

Unlike almanac.toml it may hold secrets: somebody who sets up in a browser can't be sent to edit an environment.
"""

import fcntl
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

from almanac.config.reader import CHOICES_FILE, PREFIX, Source, read_settings, read_settings_file
from almanac.config.settings import Settings
from almanac.errors import Conflict, SettingError, StaleEdit

CHOOSABLE = (
    "organisation",
    "base_url",
    "time_zone",
    "mail_url",
    "mail_from",
    "llm_model",
    "llm_api_key",
    "llm_base_url",
    "desks",
)
_HEAD = "# Written by set-up. ALMANAC_* variables and almanac.toml win over it. It may hold secrets: keep it private.\n"


@dataclass(frozen=True, slots=True)
class ChoiceInfo:
    """One setting that can be chosen: its value, None if that is a secret, whether it has one, and its source."""

    name: str
    value: object
    is_set: bool
    source: Source

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def fixed(self) -> bool:
        """Whether it is set where set-up can't change it."""
        return self.source in ("environment", "file")


def choices_path(settings: Settings) -> Path:
    """Where the choices of an installation are kept."""
    return settings.data / CHOICES_FILE


def list_choices(settings: Settings) -> dict[str, ChoiceInfo]:
    """Every setting that can be chosen, as it stands now, whatever the running services were opened with."""
    current, sources = read_settings(_environment(settings), Path())
    return {
        f.name: ChoiceInfo(
            f.name,
            None if f.metadata["secret"] else getattr(current, f.name),
            getattr(current, f.name) not in (None, ""),
            sources[f.name],
        )
        for f in fields(Settings)
        if f.name in CHOOSABLE
    }


def preview_choices(settings: Settings, changes: Mapping[str, str | None]) -> Settings:
    """The settings as they would be with these choices. Conflict if one is fixed, SettingError if one is wrong."""
    return _changed(settings, changes)[0]


def choices_version(settings: Settings, names: Iterable[str]) -> str:
    """A short text that changes whenever the value of one of these settings does."""
    current, _ = read_settings(_environment(settings), Path())
    values = [f"{name}={getattr(current, name)}" for name in sorted(names)]
    return hashlib.sha256("\n".join(values).encode(errors="surrogatepass")).hexdigest()[:16]


def save_choices(settings: Settings, changes: Mapping[str, str | None], *, expected: str | None = None) -> Settings:
    """Keep choices, None to forget one; returns the settings as they are now. Nothing is kept if one is wrong.

    `expected` is the version of the choices that the change was made on; StaleEdit if they are others by now.
    """
    settings.data.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
    with _turn(settings.data):
        changed, choices = _changed(settings, changes)
        version = choices_version(settings, changes)
        if expected is not None and version != expected and not _is_saved(settings, changed, changes):
            raise StaleEdit("Somebody else changed this in the meantime; look at it and save again.", version)
        _write(choices_path(settings), choices)
    return changed


def _changed(settings: Settings, changes: Mapping[str, str | None]) -> tuple[Settings, dict[str, object]]:
    environment = _environment(settings)
    _, sources = read_settings(environment, Path())
    for name in changes:
        if sources[name] in ("environment", "file"):
            place = "the environment" if sources[name] == "environment" else "almanac.toml"
            raise Conflict(f"{PREFIX}{name.upper()} is set in {place}, which wins; change it there.")
    choices = {**read_settings_file(choices_path(settings)), **changes}
    choices = {name: value for name, value in choices.items() if value is not None}
    return read_settings(environment, Path(), choices)[0], choices


def _is_saved(settings: Settings, changed: Settings, names: Iterable[str]) -> bool:
    """Whether the same was saved before, as when a form is sent twice."""
    current, _ = read_settings(_environment(settings), Path())
    return all(getattr(current, name) == getattr(changed, name) for name in names)


def _environment(settings: Settings) -> dict[str, str]:
    """The environment with the data folder of these settings, which a test or a caller may have chosen itself."""
    return {**os.environ, f"{PREFIX}DATA": str(settings.data.absolute())}


@contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """One process at a time changes the file."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _write(path: Path, choices: Mapping[str, object]) -> None:
    """Replace the file as a whole: a reader sees the old choices or the new ones."""
    text = _HEAD + "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in choices.items())
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        read_settings_file(Path(draft))
        Path(draft).chmod(stat.S_IRUSR | stat.S_IWUSR)
        Path(draft).replace(path)
    except UnicodeEncodeError as error:
        raise SettingError("A value has characters that can't be kept.") from error
    finally:
        Path(draft).unlink(missing_ok=True)

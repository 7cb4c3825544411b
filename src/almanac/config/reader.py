"""Reading the settings: `ALMANAC_*` variables, almanac.toml, and settings.toml in the data folder, which set-up writes.

The environment wins over almanac.toml, that over settings.toml, and that over the default. almanac.toml holds no
secrets. Every mistake is one sentence with the cure.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from almanac.config.checks import Check
from almanac.config.settings import Settings
from almanac.errors import SettingError

PREFIX = "ALMANAC_"
FILE_VARIABLE = "ALMANAC_CONFIG"
DEFAULT_FILE = "almanac.toml"
CHOICES_FILE = "settings.toml"

Source = Literal["environment", "file", "set-up", "default"]


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """One setting as `almanac config` shows it; a secret's value is never in it."""

    variable: str
    value: str
    source: Source
    about: str


def load_settings(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """Read the environment and the file in `folder` (by default the current one)."""
    return read_settings(os.environ if environ is None else environ, folder or Path())[0]


def describe_settings(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> list[SettingInfo]:
    """Every setting with its value, where it came from and what it is for."""
    settings, sources = read_settings(os.environ if environ is None else environ, folder or Path())
    return [
        SettingInfo(
            _variable(f.name),
            _shown(getattr(settings, f.name), f.metadata["secret"]),
            sources[f.name],
            f.metadata["about"],
        )
        for f in fields(Settings)
    ]


def describe_unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """A sentence for each variable with our prefix that isn't a setting: most likely a typo, worth a warning."""
    expected = {_variable(f.name) for f in fields(Settings)} | {FILE_VARIABLE}
    unknown = sorted(name for name in environ if name.startswith(PREFIX) and name not in expected)
    return [f"{name} is set but isn't a setting; {_suggest(name, expected)}" for name in unknown]


def _suggest(name: str, names: Iterable[str]) -> str:
    """The nearest name; the prefix that all share says nothing about nearness."""
    by_rest = {full.removeprefix(PREFIX): full for full in sorted(names)}
    close = get_close_matches(name.removeprefix(PREFIX), by_rest, n=1)
    return f"did you mean {by_rest[close[0]]}?" if close else "`almanac config` lists them all."


def read_settings(
    environ: Mapping[str, str], folder: Path, choices: Mapping[str, object] | None = None
) -> tuple[Settings, dict[str, Source]]:
    """The settings and where each comes from; `choices` stand in for what is in settings.toml."""
    file_name = environ.get(FILE_VARIABLE)
    in_file = read_settings_file(folder / (file_name or DEFAULT_FILE), required=file_name is not None)
    for f in fields(Settings):
        _refuse_secret(f.name, secret=f.metadata["secret"] and f.name in in_file)
    path = folder / _data_folder(environ, in_file) / CHOICES_FILE
    return _combine(environ, in_file, read_settings_file(path) if choices is None else choices)


def _combine(
    environ: Mapping[str, str], in_file: Mapping[str, object], choices: Mapping[str, object]
) -> tuple[Settings, dict[str, Source]]:
    kinds = _kinds()
    values: dict[str, object] = {}
    sources: dict[str, Source] = {}
    for f in fields(Settings):
        variable = _given_variable(f.name, f.metadata["also"], environ)
        sources[f.name] = "default"
        if environ.get(variable, "") != "":
            values[f.name], sources[f.name] = _convert(variable, environ[variable], kinds[f.name]), "environment"
        elif f.name in in_file:
            values[f.name], sources[f.name] = _convert(f.name, in_file[f.name], kinds[f.name]), "file"
        elif f.name in choices:
            values[f.name], sources[f.name] = _convert(f.name, choices[f.name], kinds[f.name]), "set-up"
        _apply_check(variable, values.get(f.name), f.metadata["check"])
    return Settings(**cast("dict[str, Any]", values)), sources


def _data_folder(environ: Mapping[str, str], in_file: Mapping[str, object]) -> Path:
    """Where the choices are; they can't choose it."""
    given = {name: environ[name] for name in [_variable("data")] if name in environ}
    return _combine(given, {name: value for name, value in in_file.items() if name == "data"}, {})[0].data


@cache
def _kinds() -> dict[str, Any]:
    """The type of each setting."""
    return get_type_hints(Settings)


def read_settings_file(path: Path, *, required: bool = False) -> dict[str, object]:
    """The settings in a TOML file; none if it isn't there."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        if required:
            raise SettingError(f"{FILE_VARIABLE} names {path}, which does not exist.") from None
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingError(f"{path} can't be read as TOML: {error}.") from error
    names = [f.name for f in fields(Settings)]
    for name in content:
        if name not in names:
            raise SettingError(f"{path} sets {name}, which is not a setting; {_suggest(name, names)}")
    return content


def _refuse_secret(name: str, *, secret: bool) -> None:
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

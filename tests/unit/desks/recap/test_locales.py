"""The desk's words: every phrase in each language, with the same gaps, and none that templates ask for in vain."""

import re
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import get_args

from almanac.desks.recap.model.items import TaskStatus
from almanac.desks.recap.model.recap import REACTIONS, LeftOutKind, PointKind
from almanac.desks.recap.model.record import Outcome
from almanac.desks.recap.model.views import RecapPart
from almanac.desks.recap.pages.layout import PHRASES

DESK = Path(str(files("almanac.desks.recap")))
TEXTS = {
    path: path.read_text("utf-8")
    for pattern in ("**/*.html", "pages/*.py", "published/*.py", "service/*.py")
    for path in DESK.glob(pattern)
}
ASKED = re.compile(r"""(?:\bt|wording|words)\(["'](\w+)["']""")


def gaps(phrase) -> set[str]:
    forms = phrase if isinstance(phrase, list) else [phrase]
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


def words(language: str):
    return PHRASES.translator(language).phrases


def test_each_language_has_the_same_phrases():
    assert words("en").keys() == words("ja").keys()


def test_a_phrase_has_the_same_gaps_in_each_language():
    assert not {key for key in words("en") if gaps(words("en")[key]) != gaps(words("ja")[key])}


def test_whatever_a_page_asks_for_is_there():
    asked = {(path.name, key) for path, text in TEXTS.items() for key in ASKED.findall(text)}
    assert not {(name, key) for name, key in asked if key not in words("en") and not key.endswith("_")}


def test_every_value_that_is_shown_by_a_word_has_one():
    shown = {
        "reaction_": REACTIONS,
        "kind_": get_args(PointKind),
        "left_out_": get_args(LeftOutKind),
        "outcome_": get_args(Outcome),
        "status_": get_args(TaskStatus),
        "changed_": get_args(RecapPart),
        "level_": ("points", "plain", "detailed"),
    }
    missing = {f"{prefix}{value}" for prefix, values in shown.items() for value in values} - words("en").keys()
    assert not missing


def test_no_phrase_is_left_that_nobody_asks_for():
    everything = "\n".join(TEXTS.values())
    spoken = re.compile(r"^(reaction|kind|left_out|outcome|status|changed|level|field|section|trend|house)_")
    unused = {key for key in words("en") if f'"{key}"' not in everything and f"'{key}'" not in everything}
    assert not {key for key in unused if not spoken.match(key)}

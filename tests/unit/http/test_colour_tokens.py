"""Contrast of the colour tokens, in light and dark, for every pair that pages use: text 4.5 to 1, edges 1.6 to 1."""

import re
from importlib.resources import files

import pytest

CSS = (files("almanac.web") / "static" / "css" / "tokens.css").read_text("utf-8")
COLOURS = dict(re.findall(r"--([\w-]+): light-dark\(([^)]*)\);", CSS))
GROUNDS = ("ground", "surface", "raised", "sunken", "hover")
TEXT = [
    *((ink, ground) for ink in ("ink", "ink-soft", "ink-faint", "accent", "accent-strong") for ground in GROUNDS),
    *(
        (state, ground)
        for state in ("waiting", "running", "done", "failed")
        for ground in ("ground", "surface", "raised")
    ),
    *((state, f"{state}-ground") for state in ("waiting", "running", "done", "failed")),
    ("ink", "accent-ground"),
    ("accent-strong", "accent-ground"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("on-failed", "failed"),
]
EDGES = [
    (edge, ground) for edge in ("edge", "line-strong", "focus") for ground in ("ground", "surface", "raised", "sunken")
]
SCHEMES = {"light": 0, "dark": 1}


def luminance(name, scheme):
    colour = COLOURS[name].split(",")[SCHEMES[scheme]].strip().lstrip("#")
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, second, scheme):
    lighter, darker = sorted((luminance(first, scheme), luminance(second, scheme)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_can_be_read_on_every_ground(scheme):
    faint = {pair: round(contrast(*pair, scheme), 2) for pair in TEXT if contrast(*pair, scheme) < 4.5}
    assert not faint


@pytest.mark.parametrize("scheme", SCHEMES)
def test_edges_of_controls_are_seen_on_every_ground(scheme):
    faint = {pair: round(contrast(*pair, scheme), 2) for pair in EDGES if contrast(*pair, scheme) < 1.6}
    assert not faint

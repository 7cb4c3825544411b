"""Prompts as versioned files: `prompts/<step>.md` opens with a version line, the rest is the text with placeholders.

The text is the model's instructions, a Jinja2 template over the fields of the step's input. The sources are not part
of it: `almanac.llm.rendering` shows them apart, so that what a source says can't pass for an instruction.
"""

import re
from dataclasses import dataclass
from importlib.resources import files

_VERSION = re.compile(r"version: (\d+)\.(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One prompt of a step. A new major version means that what was written by an older one is made anew."""

    name: str
    major: int
    minor: int
    template: str

    @property
    def version(self) -> str:
        return f"{self.major}.{self.minor}"


def load_prompt(package: str | None, name: str) -> Prompt:
    """Read `<package>/prompts/<name>.md`: `PROMPT = load_prompt(__package__, "summary")`."""
    if not package:
        raise ValueError("Prompts live in a package; pass __package__.")
    return parse_prompt(name, files(package).joinpath("prompts", f"{name}.md").read_text(encoding="utf-8"))


def parse_prompt(name: str, text: str) -> Prompt:
    """Read the version line and keep the rest."""
    first, _, template = text.partition("\n")
    match = _VERSION.fullmatch(first.strip())
    if match is None:
        raise ValueError(f"The prompt {name} must open with a line such as `version: 1.0`.")
    if not template.strip():
        raise ValueError(f"The prompt {name} has no text below its version line.")
    return Prompt(name=name, major=int(match[1]), minor=int(match[2]), template=template.strip() + "\n")

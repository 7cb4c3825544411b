"""Prompts as versioned files: `prompts/<step>.md` opens with a version line, the rest is the text with placeholders."""

from dataclasses import dataclass


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

"""What the standard steps share: the sources and the wishes that every kind of writing may carry."""

from dataclasses import dataclass

from almanac.llm.sources import Source

_NAMES = {"en": "English", "ms": "Malay", "zh": "Chinese", "ja": "Japanese"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingInput:
    """The sources, and for whom and how to write. Without a language it is that of the sources.

    Extraction can't translate: it takes sources in the language asked for where there are any, and otherwise
    leaves the text in the language of its source.
    """

    sources: tuple[Source, ...]
    language: str | None = None
    audience: str = ""
    tone: str = ""
    instruction: str = ""

    @property
    def language_name(self) -> str:
        """The language as prompts name it."""
        return _NAMES.get(self.language, self.language) if self.language else "the language of the sources"

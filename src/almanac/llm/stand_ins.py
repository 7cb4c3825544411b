"""Opaque stand-ins: `s1` for a source and `s1.4` for its fourth sentence, in prompts and in what models answer.

A model never sees the id of a source, so it can't invent one that exists; an unknown stand-in fails validation.
"""

import re
from dataclasses import dataclass

_STAND_IN = re.compile(r"\[?s([1-9]\d{0,5})(?:\.([1-9]\d{0,5}))?\]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StandIns:
    """The sources of one request in their order, each with its number of sentences. Passed as validation context."""

    ids: tuple[str, ...]
    sentences: tuple[int, ...]

    def of(self, source: str, sentence: int | None = None) -> str:
        """What a prompt shows for a source, or for a sentence of it that is counted from 0."""
        if source not in self.ids:
            raise ValueError(f"A prompt refers to {source!r}, which is none of the sources of the step.")
        number = self.ids.index(source) + 1
        return f"s{number}" if sentence is None else f"s{number}.{sentence + 1}"

    def meaning(self, stand_in: str) -> tuple[str, int | None]:
        """The id of the source and the sentence, from 0, that a model's answer names. Unknown ones are refused."""
        match = _STAND_IN.fullmatch(stand_in.strip())
        if match is None:
            raise ValueError(f"{stand_in[:20]!r} names no source; write s1 for a source or s1.4 for a sentence of it")
        source, sentence = int(match[1]) - 1, int(match[2]) - 1 if match[2] else None
        if source >= len(self.ids):
            raise ValueError(f"there is no source s{source + 1}; the last one is s{len(self.ids)}")
        if sentence is not None and sentence >= self.sentences[source]:
            raise ValueError(f"s{source + 1} has only {self.sentences[source]} sentences")
        return self.ids[source], sentence

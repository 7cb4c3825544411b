"""A document as its reader shows it: sentences in order, the sources of each, and the verdicts of people."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from almanac.verify import Verdict

KEY_LENGTH = 24
TextSpan = tuple[int, int]
Precision = Literal["words", "part", "nearest", "passage", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableSource:
    """A text that a sentence is based on.

    `spans` are the characters that support the sentence; None if only the text is known. `path` opens it on this site,
    `url` is where it was published, `id` is what the desk calls it. `note` says that it was changed since; `is_gone`
    that there is no text any more.
    """

    title: str
    text: str
    id: str = ""
    spans: tuple[TextSpan, ...] | None = None
    path: str = ""
    url: str = ""
    language: str = ""
    note: str = ""
    is_gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableSentence:
    """A generated sentence. `verdict` is that of the rules, None if they never compared it; `reason` explains a doubt.

    `key` names the sentence as long as neither its words nor its sources change. `group` is the heading above it.
    `refusal` says why a person's check isn't enough; it is empty where it is.
    """

    key: str
    text: str
    language: str = ""
    group: str = ""
    sources: tuple[ReadableSource, ...] = ()
    verdict: Verdict | None = None
    reason: str = ""
    judged_by: str = ""
    refusal: str = ""

    @property
    def is_in_doubt(self) -> bool:
        return self.verdict is not Verdict.SUPPORTED


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A part of a document that is read by itself, such as a level or a language."""

    name: str
    label: str
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableDocument:
    """The sentences of a document, or of one of its parts. `kind` is what the audit log calls it, `path` its page."""

    desk: str
    id: str
    kind: str
    title: str
    path: str
    sentences: tuple[ReadableSentence, ...]
    language: str = ""
    part: str = ""
    parts: tuple[DocumentPart, ...] = ()

    def find(self, key: str) -> ReadableSentence | None:
        """The first sentence with this key."""
        return next((sentence for sentence in self.sentences if sentence.key == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceVerdict:
    """A person read a sentence beside its sources and vouches for it."""

    sentence: str
    user_id: str
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class HighlightedSource:
    """A source with the characters to mark.

    `precision`: these words support the sentence, they support a part of it and other sources the rest, they are only
    the nearest, only the whole text is known, or the text is missing. `instructions` are sentences of it that are
    addressed to machines.
    """

    source: ReadableSource
    spans: tuple[TextSpan, ...]
    precision: Precision
    instructions: tuple[str, ...] = ()

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The text in order, each piece with whether it is marked."""
        pieces: list[tuple[str, bool]] = []
        at, text = 0, self.source.text
        for start, end in self.spans:
            pieces += [(text[at:start], False), (text[start:end], True)]
            at = end
        return [piece for piece in (*pieces, (text[at:], False)) if piece[0]]

    @property
    def quotes(self) -> list[str]:
        return [self.source.text[start:end] for start, end in self.spans]


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """How far people have checked a document: verdicts by the key of the sentence, the earliest first."""

    document: ReadableDocument
    verdicts: Mapping[str, Sequence[SentenceVerdict]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return len(self.document.sentences)

    @property
    def checked(self) -> int:
        return sum(sentence.key in self.verdicts for sentence in self.document.sentences)

    @property
    def first_unchecked(self) -> int:
        """The index of the first sentence that nobody checked; 0 if there is none."""
        sentences = enumerate(self.document.sentences)
        return next((at for at, sentence in sentences if sentence.key not in self.verdicts), 0)

    def find_own(self, key: str, user_id: str) -> SentenceVerdict | None:
        """The verdict of one person."""
        return next((verdict for verdict in self.verdicts.get(key, ()) if verdict.user_id == user_id), None)


def sentence_key(text: str, sources: Iterable[ReadableSource]) -> str:
    """A hash of the sentence and of the whole texts it is based on. Where the words are marked doesn't change it."""
    texts = [hashlib.sha256(source.text.encode()).hexdigest() for source in sources]
    return hashlib.sha256("\x00".join([text, *texts]).encode()).hexdigest()[:KEY_LENGTH]

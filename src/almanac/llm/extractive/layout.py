"""The heading, header row or question that a line can't be read without, by how the text is laid out."""

import re
from collections.abc import Sequence
from itertools import groupby, pairwise

from almanac.language.segmentation import TextSentence
from almanac.llm.extractive.cues import is_question
from almanac.llm.extractive.essentials import is_recommendation_heading, states_recommendation
from almanac.llm.extractive.measures import count_words, is_ended

_DIGIT = re.compile(r"\d")
_CELLS = re.compile(r"\s*\|\s*|\t+| {3,}|\u3000{2,}")
_NUMERIC_CELL = re.compile(r"(?:[A-Z]{0,3}[$£€¥￥]?|RM|Rp|約|约)?\s*[-+±]?\d|[-–—]|n/?a$", re.IGNORECASE)
_LABELLED = re.compile(r"[^:：]{1,30}[:：]\s*\S")
# Answers with a verb can be read without their question.
_HAS_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|must|may|should|would|could|do|does|did|says?|said|adalah|ialah|akan|boleh|perlu|"
    r"mesti|telah|dapat)\b|[るたいうくすむつだ][。！]$|(?:です|ます|ません)[。！]?$|[是有将會会可须須能应應]"
)
# Under these a checker of facts repeats what others claim.
_CLAIM = re.compile(
    r"(?:the )?(?:claims?|rumou?rs?|myths?|allegations?|what was claimed)(?: \d+)?|dakwaan|khabar angin|mitos|klaim"
    r"|hoaks|主張|うわさ|噂|デマ|传言|傳言|谣言|謠言|说法|說法",
    re.IGNORECASE,
)
_LONGEST_HEADING = 8
_LEDGER_SHARE, _LEDGER_WORDS, _FEWEST_ENTRIES = 0.6, 14.0, 2
_FEWEST_CELLS = 2
_LONGEST_SECTION = 40


def find_labels(sentences: Sequence[TextSentence], title: int = -1) -> dict[int, int]:
    """For the sentences that need one, by number, the number of the line that says what they are about.

    The line with the number `title` is the title of the whole text and no heading.
    """
    headings = [at for at in range(len(sentences)) if at != title and _is_heading(sentences, at)]
    labels: dict[int, int] = {}
    for heading, end in pairwise([*headings, len(sentences)]):
        members = range(heading + 1, min(end, heading + 1 + _LONGEST_SECTION))
        labels |= dict.fromkeys(_members_in_need(sentences, heading, members), heading)
    return labels | _header_rows(sentences)


def find_claims(sentences: Sequence[TextSentence]) -> frozenset[int]:
    """The numbers of sentences that a checker of facts only repeats, because they stand under “Claim”."""
    claims = (at for at in range(len(sentences) - 1) if _CLAIM.fullmatch(sentences[at].text.rstrip(":：")))
    return frozenset(at + 1 for at in claims)


def is_table_row(text: str) -> bool:
    """Whether a line is a row of a table."""
    return len(_cells(text)) >= _FEWEST_CELLS and ("|" in text or not is_ended(text))


def is_ledger_entry(text: str) -> bool:
    """Whether a line is a short entry with a figure, as in a list of prices."""
    return bool(_DIGIT.search(text)) and count_words(text) <= _LEDGER_WORDS


def _is_heading(sentences: Sequence[TextSentence], at: int) -> bool:
    text = sentences[at].text
    if not _is_alone(sentences, at) or at + 1 == len(sentences):
        return False
    if count_words(text) > _LONGEST_HEADING or is_table_row(text):
        return False
    if is_question(text):
        return True
    if is_ended(text) or _LABELLED.match(text):
        return False
    # “Kisumu, 12 November” before “Maize: 3,200” is a heading; “Maize 3,200” is none.
    return not _DIGIT.search(text) or bool(_LABELLED.match(sentences[at + 1].text))


def _is_alone(sentences: Sequence[TextSentence], at: int) -> bool:
    """Whether a sentence is a line of its own."""
    beside = [*sentences[max(0, at - 1) : at], *sentences[at + 1 : at + 2]]
    return all(sentence.paragraph != sentences[at].paragraph for sentence in beside)


def _members_in_need(sentences: Sequence[TextSentence], heading: int, members: range) -> list[int]:
    """The lines under a heading that don't say by themselves what they are about."""
    title = sentences[heading].text
    if is_question(title):
        return [at for at in members[:1] if not _HAS_VERB.search(sentences[at].text)]
    if is_recommendation_heading(title):
        return [at for at in members if not states_recommendation(sentences[at].text)]
    entries = sum(_is_alone(sentences, at) and is_ledger_entry(sentences[at].text) for at in members)
    if entries < _FEWEST_ENTRIES or entries < _LEDGER_SHARE * len(members):
        return []
    return [at for at in members if title.casefold() not in sentences[at].text.casefold()]


def _header_rows(sentences: Sequence[TextSentence]) -> dict[int, int]:
    """For the rows of each table the number of its header row."""
    labels: dict[int, int] = {}
    for is_row, group in groupby(range(len(sentences)), key=lambda at: is_table_row(sentences[at].text)):
        rows = list(group)
        if is_row and len(rows) >= _FEWEST_ENTRIES and not _numeric_cells(sentences[rows[0]].text):
            labels |= dict.fromkeys(rows[1:], rows[0])
    return labels


def _cells(text: str) -> list[str]:
    return [cell for cell in _CELLS.split(text.strip().strip("|")) if cell.strip()]


def _numeric_cells(text: str) -> int:
    return sum(bool(_NUMERIC_CELL.match(cell)) for cell in _cells(text))

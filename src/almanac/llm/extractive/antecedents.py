"""Which earlier sentence introduces what a sentence takes as given: “the bus”, “bas itu”, 財団, 基金会."""

import re
from collections.abc import Callable, Sequence

from almanac.language.scripts import HAN, KATAKANA
from almanac.llm.extractive.cues import alternatives, word_list

_FARTHEST = 40
_SUBJECT = re.compile(r"The\s+((?:[a-z][\w’'-]*,?\s+){0,3}[a-z][\w’'-]*)")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PHRASE_ENDS = word_list("phrase_ends")
_UNIQUE = word_list("unique_nouns")
_SELF_CONTAINED = re.compile(
    r"\s*(?:of|that|which|who|whose|whom|where|behind|between|to|for)\b"
    r"|\s+(?:in|at|on|from|with|by|over|near|across|under|outside)\s+(?:the\s+)?[A-Z\d]"
)
_LATER_NOUN = re.compile(
    rf"\bthe\s+(?P<noun>{'|'.join(sorted(word_list('anaphoric_nouns')))})\b(?!['’]s?\s+[A-Z])"
    r"(?!\s+(?:of|that|which|who|whose|whom|where|behind|for)\b)(?!\s+[A-Z\d])"
)
_DEMONSTRATIVE = re.compile(
    r"\b(?:this|these|those)\s+(?!(?:year|week|month|quarter|morning|afternoon|evening|summer|spring|autumn|winter|fall|season|"
    r"time|weekend|decade|century|who|which|that|in|of|with|from|day|days|years|weeks|months|country)\b)[a-z]+"
    r"|\b(?:said|says|say|because|why|do|does|done|doing|like)\s+(?:this|that)\b(?=\s+(?:is|was|would|will|could|may|has|had)\b|[,.])"
)
# “The Brazilian has …”, “The 61-year-old actress …”: who it is was told before.
_DESCRIBED = re.compile(
    r"The \d+-year-old\b(?! [A-Z])(?! [a-z]+,? [A-Z])"
    r"|The [A-Z][a-z]+ (?:duo|pair|trio|striker|star|player|singer|actor|actress|coach|captain|midfielder|defender)\b"
    r"(?! [A-Z])"
    r"|The (?:[a-z-]+ )?[A-Z][a-z]+(?:ian|ean|an|ese|ish) "
    r"(?:is|was|has|had|will|said|says|who|also|can|could|would|did|does|scored|won|joined|plays)\b"
)
# “…,” he said: who it is was told before, unless a name stands beside the quotation.
_PRONOUN_SAID = re.compile(
    r"(?:[,\"]|^)\s*(?:he|she|they|it)\s+(?:also\s+)?(?:said|says|added|adds|told|wrote|noted|explained|warned|argued|recalled|insisted)\b"
)
_NAME = re.compile(r"(?<=[a-z,\"]\s)[A-Z][a-z]+|^[A-Z][a-z]+ (?:berkata|said|says)\b")
_QUOTED = re.compile(r"[“\"][^”\"]*[”\"]")


_SHORT_NAME = re.compile(r"(?P<name>[A-Z][a-z]+(?:[-'’]?[A-Z][a-z]+)?|[A-Z]{2,6})(?:['’]s)?,?\s+(?=[a-z])")
_FULL_NAME = re.compile(r"[A-Z][\w.’'-]*(?:\s+[A-Z][\w.’'-]*)+|(?<=\()[A-Z]{2,6}(?=\))")
_LOWER_WORD = re.compile(r"\b[a-z]+\b")
_JAPANESE_NAME = re.compile(
    rf"(?P<name>[{HAN}{KATAKANA}]{{1,6}}?)(?P<form>氏|さん|容疑者|被告|議員|市長|知事|社長|会長|教授|選手|監督)(?:は|が|も|によると|の)"
)


def find_antecedents(texts: Sequence[str], language: str, title: str = "") -> list[int | None]:
    """For each sentence the place of the earlier one that it needs; None where it takes nothing as given.

    A name that the title has is taken as given by it.
    """
    find = _FINDERS.get(language, _english)
    common = frozenset(word for text in texts for word in _LOWER_WORD.findall(text))
    introduced = [] if language == "ja" else [_full_names(text) for text in texts]
    places: list[int | None] = [None]
    for at in range(1, len(texts)):
        place = find(texts, at)
        if place is None:
            name = _short_name(texts[at], title, common) if introduced else ""
            place = _nearest_with(introduced, at, name) if name else _japanese_name(texts, at, title)
        places.append(place)
    return places[: len(texts)]


def _short_name(text: str, title: str, common: frozenset[str]) -> str:
    """The name that a sentence begins with; empty where the title has it, or the text has it as a common word."""
    match = _SHORT_NAME.match(text)
    return match["name"] if match and match["name"] not in title and match["name"].casefold() not in common else ""


def _full_names(text: str) -> frozenset[str]:
    """The parts of the full names in a text, and the abbreviations that it explains in brackets."""
    names = _FULL_NAME.findall(text)
    return frozenset(word.removesuffix("'s").removesuffix("’s").strip(".,") for name in names for word in name.split())


def _nearest_with(introduced: Sequence[frozenset[str]], at: int, name: str) -> int | None:
    places = range(at - 1, max(-1, at - 1 - _FARTHEST), -1)
    return next((place for place in places if name in introduced[place]), None)


def _japanese_name(texts: Sequence[str], at: int, title: str) -> int | None:
    match = _JAPANESE_NAME.match(texts[at])
    if match is None or match["name"] in title:
        return None
    return _nearest(texts, at, re.compile(rf"{re.escape(match['name'])}(?!{match['form']})"))


def _nearest(texts: Sequence[str], at: int, pattern: re.Pattern[str]) -> int | None:
    """The nearest earlier sentence in which a pattern is found."""
    places = range(at - 1, max(-1, at - 1 - _FARTHEST), -1)
    return next((place for place in places if pattern.search(texts[place])), None)


def _english(texts: Sequence[str], at: int) -> int | None:
    text = _QUOTED.sub('""', texts[at])
    if _DESCRIBED.match(text):
        return at - 1
    if nouns := _definite_subject(text):
        return _introduced_before(texts, at, nouns)
    if (later := _LATER_NOUN.search(text)) and not _names(text[: later.start()], later["noun"]):
        return _introduced_before(texts, at, (later["noun"],))
    if _PRONOUN_SAID.search(text) and not _NAME.search(text):
        return at - 1
    demonstrative = _DEMONSTRATIVE.search(text)
    return at - 1 if demonstrative and not _opens_with_clause(text[: demonstrative.start()]) else None


def _opens_with_clause(before: str) -> bool:
    """Whether the sentence is long enough before a demonstrative to hold what it points to."""
    return before.count(",") > 0 and len(before.split()) >= 8


def _definite_subject(text: str) -> tuple[str, ...]:
    """The nouns of a subject such as “The bus company”; empty where it tells by itself what it is."""
    subject = _SUBJECT.match(text)
    if subject is None:
        return ()
    words: list[str] = []
    end = subject.start(1)
    for word in _WORD.finditer(text, subject.start(1), subject.end(1)):
        if word[0] in _PHRASE_ENDS or (words and word[0].endswith(("ed", "ly"))):
            break
        words.append(word[0])
        end = word.end()
        if text[end : end + 1] == ",":
            break
    if not words or words[0] in _UNIQUE or words[0].endswith("est") or words[-1].endswith(("'s", "’s")):
        return ()
    return () if _SELF_CONTAINED.match(text, end) or re.match(r"\s+[A-Z\d]|,\s+[A-Z]", text[end:]) else tuple(words)


def _introduced_before(texts: Sequence[str], at: int, nouns: Sequence[str]) -> int | None:
    """The nearest sentence that introduces one of the nouns; the one before where none does.

    None where every earlier sentence takes it as given too, as in “the council” of a town's own paper.
    """
    given = False
    for place in range(at - 1, max(-1, at - 1 - _FARTHEST), -1):
        for noun in nouns:
            if not re.search(rf"\b{_stem(noun)}", texts[place], re.IGNORECASE):
                continue
            if _names(texts[place], noun):
                return place
            given = True
    return None if given else at - 1


def _stem(noun: str) -> str:
    return re.escape(
        noun.casefold().removesuffix("ies").removesuffix("y") if noun.endswith(("y", "ies")) else noun.rstrip("s")
    )


def _names(text: str, noun: str) -> bool:
    """Whether a text has the noun with more than “the” before it."""
    pattern = rf"(?P<before>(?:[\w’'-]+[\s-]+){{0,3}})\b{_stem(noun)}(?:s|es|ies|y)?\b"
    for match in re.finditer(pattern, text, re.IGNORECASE):
        before = match["before"].split()
        if not before or before[-1].casefold() not in {
            "the",
            "this",
            "that",
            "these",
            "those",
            "its",
            "their",
            "his",
            "her",
        }:
            bare = before and before[0].casefold() == "the" and all(word.islower() for word in before[1:])
            if not (bare and len(before) > 1):
                return True
    return False


_MALAY_GIVEN = re.compile(r"\b([A-Za-z-]{3,})\s+(?:itu|tersebut|berkenaan|terbabit)\b|\b([A-Za-z-]{3,})\s+ini\b")
_MALAY_SAID = re.compile(
    r"(?i:\b(?:kata|menurut|jelas|ujar|tambah|tegas|terang|dakwa)(?:nya| (?:beliau|dia|mereka))\b)"
)
# “Menurut jabatan, ini penutupan ketiga”: what it is was told before.
_MALAY_PRONOUN = re.compile(r"^[^,]{3,60},\s+(?:ini|itu|ia|beliau|mereka)\s")
_MALAY_TIMES = frozenset(
    "hari tahun minggu bulan kali masa ketika setakat selama baru-baru sebelum malam pagi petang tengahari negara "
    "saat kini dunia seperti dengan suku abad sekarang dekad".split()
)


def _malay(texts: Sequence[str], at: int) -> int | None:
    text = _QUOTED.sub('""', texts[at])
    if _MALAY_PRONOUN.search(text) or (_MALAY_SAID.search(text) and not _NAME.search(text)):
        return at - 1
    for match in _MALAY_GIVEN.finditer(text):
        noun = (match[1] or match[2]).casefold()
        if match[2] and noun in _MALAY_TIMES:
            continue
        if re.search(rf"\b{re.escape(noun)}\b", text[: match.start()], re.IGNORECASE):
            continue
        return _introduced_in_malay(texts, at, noun)
    return None


def _introduced_in_malay(texts: Sequence[str], at: int, noun: str) -> int:
    named = re.compile(rf"\b{re.escape(noun)}\b(?!\s+(?:itu|ini|tersebut|berkenaan)\b)", re.IGNORECASE)
    place = _nearest(texts, at, named)
    return at - 1 if place is None else place


def _with_longer_name(entity: str, scene: str, following: str) -> Callable[[Sequence[str], int], int | None]:
    """Finds the full name of what a sentence begins with, such as 湖畔読書財団 for 財団."""
    opening = re.compile(rf"(?P<entity>{alternatives(entity)}){following}|(?P<scene>{alternatives(scene)})")

    def find(texts: Sequence[str], at: int) -> int | None:
        match = opening.match(texts[at])
        if match is None and _CHINESE_PRONOUN_SAID.search(texts[at]):
            return at - 1
        if match is None:
            return _chinese_demonstrative(texts, at)
        if match["entity"] is None:
            return at - 1
        longer = re.compile(rf"[{HAN}{KATAKANA}A-Za-z）」》・]{re.escape(match['entity'])}")
        return _nearest(texts, at, longer)

    return find


_CHINESE_PRONOUN_SAID = re.compile(r"[”」][，,]?(?:他|她|他们|她们)(?:说|表示|称|指出|补充|說|稱|補充|道)")
_CHINESE_DEMONSTRATIVE = re.compile(rf"[这這该該]一?[家所座项項個个名起位条條批款]([{HAN}]{{2}})")


def _chinese_demonstrative(texts: Sequence[str], at: int) -> int | None:
    """The sentence that introduces what 这家工厂 stands for, unless its own beginning does."""
    match = _CHINESE_DEMONSTRATIVE.search(texts[at])
    if match is None or match[1][-1] in texts[at][: match.start()]:
        return None
    place = _nearest(texts, at, re.compile(match[1]))
    return at - 1 if place is None else place


_FINDERS: dict[str, Callable[[Sequence[str], int], int | None]] = {
    "ms": _malay,
    "id": _malay,
    "ja": _with_longer_name("japanese_entities", "japanese_scene", "(?:は|が|も|では|には|の)"),
    "zh": _with_longer_name("chinese_entities", "chinese_scene", ""),
}

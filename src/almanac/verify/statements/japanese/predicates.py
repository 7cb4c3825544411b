"""Japanese predicates: verbs, nouns of action and adjectives with their negation, tense, hedge and subject."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN
from almanac.verify.facts import SENTENCE_CACHE_SIZE
from almanac.verify.statements.japanese.phrases import NEGATIVE_PREFIXES, NounPhrase, noun_phrase_before
from almanac.verify.word_lists import read_lines, read_words
from almanac.verify.words.japanese import verb_behind, word_keys
from almanac.verify.words.morphemes import Morpheme, read_morphemes

_QUESTION = lazy_regex("(?:の|ん|です|でしょう|だろう|で|す){0,3}か")
_KANJI = lazy_regex(f"[{HAN}]")
_NEGATIONS = frozenset({"ない", "ず", "まい", "無い"})
_DEPENDENT, _STEM = "非自立可能", "助動詞語幹"
# Nobody is there, and there is none: what exists counts, not the word for it.
_EXISTENCE = frozenset({"居る", "有る", "おる", "御座る", "存在", "見当たる", "なし", "無し"})
_ABSENCE = frozenset({"無い", "なし", "無し", "皆無"})
_LIGHT = frozenset(
    {"為る", "成る", "言う", "思う", "考える", "行う", "出来る", "致す", "為さる", "因る", "よる", "於く", "於ける"}
)
_DO = frozenset({"為る", "出来る", "致す", "為さる", "頂く", "下さる", "貰う"})
_STOP = frozenset({"。", "、", "」", "「", "(", ")"})
_FORMAL = frozenset({"事", "訳", "物", "筈", "の", "積もり", "もの", "こと"})
_THROUGH = frozenset({"て", "で", "は", "も", "ば", "に", "ながら"})
_PASSIVE, _PAST, _GUESS = "助動詞-レル", "助動詞-タ", "意志推量形"
_OPEN_AUXILIARIES = frozenset({"たい", "べし", "らしい", "ようだ", "様だ"})
_CONDITION = frozenset({"ば", "たら", "なら", "場合", "限り"})
_IDLE = frozenset({"居る", "方向", "様", "よう", "旨", "様だ"})
_NOBODY = frozenset(
    {"一人", "一匹", "一頭", "一つ", "一台", "一件", "誰", "何", "1人", "1匹", "||", "ひとり", "ひとつ"}
)
# かもしれない, に違いない, に過ぎない, しかない.
_NOT_DENIED = frozenset({"知れる", "違い", "過ぎる", "しか"})
_OPINION = frozenset({"言う", "限る", "思う", "考える", "言える", "思える", "考えられる"})
_LONGEST_GAP = 7


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a sentence says of something.

    `is_asserted` is false for a noun of action that is only mentioned, as in 閉鎖を検討する. `hedge` is the word that
    leaves it open, empty without one. `is_linked` tells that the sentence goes on with another predicate of the same
    rank, `is_future` that it isn't done yet. `subject` is None where the sentence doesn't show it; `topics` are all
    phrases before は or が in front of it, `target` is the one before を.
    """

    start: int
    end: int
    text: str
    forms: frozenset[str]
    keys: frozenset[str]
    is_negated: bool
    is_done: bool
    is_passive: bool
    is_existence: bool
    is_asserted: bool
    is_quoted: bool
    is_adnominal: bool
    is_linked: bool
    is_future: bool
    hedge: str
    subject: NounPhrase | None
    agent: NounPhrase | None
    topics: tuple[NounPhrase, ...]
    target: NounPhrase | None


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def read_predicates(text: str) -> tuple[Predicate, ...]:
    """The predicates of a normalized text whose figures and dates are masked, in order."""
    morphemes = read_morphemes(text)
    predicates: list[Predicate] = []
    previous = -1
    for at in _find_heads(morphemes):
        predicates.append(_read_predicate(morphemes, at, previous, text))
        if morphemes[at].form in _denied_words():
            predicates.append(_read_denied(predicates[-1], morphemes[at].form))
        previous = at if predicates[-1].is_asserted else previous
    return tuple(_negate_relative_clauses(_share_hedges(predicates)))


def _find_heads(morphemes: Sequence[Morpheme]) -> Iterator[int]:
    for at, morpheme in enumerate(morphemes):
        before = morphemes[at - 1] if at else None
        follows = before is not None and (
            before.kind in {"動詞", "助動詞", "形容詞"}
            or (before.form in {"て", "で"} and before.kind == "助詞")
            or (before.form == "を" and at > 1 and morphemes[at - 2].form == "ず")
        )
        if morpheme.form in _EXISTENCE | _ABSENCE:
            if not follows and not _denies_noun(morphemes, at):
                yield at
        elif morpheme.kind == "動詞":
            if morpheme.form not in _LIGHT and not (follows and _DEPENDENT in morpheme.kinds):
                yield at
        elif morpheme.form in _denied_words() or _is_quality(morpheme) or _action(morpheme) is not None:
            yield at


def _is_quality(morpheme: Morpheme) -> bool:
    return morpheme.kind in {"形容詞", "形状詞"} and _STEM not in morpheme.kinds


@cache
def _denied_words() -> dict[str, frozenset[str]]:
    """The words that 未定, 不明 and similar ones deny."""
    rows = (line.split() for line in read_lines("denials_ja.txt"))
    return {row[0]: frozenset(row[1:]) for row in rows}


def _read_denied(predicate: Predicate, word: str) -> Predicate:
    """未定 as 決まっていない."""
    forms = _denied_words()[word]
    return replace(predicate, forms=forms, keys=forms, is_negated=True, is_asserted=True)


def _action(morpheme: Morpheme) -> Morpheme | None:
    """The noun of action, or of a quality, that a noun is or contains: 閉鎖, 検討中, 引き上げ."""
    if morpheme.kind != "名詞":
        return None
    if verb_behind(morpheme.form) and _KANJI.match(morpheme.form):
        return morpheme
    return next(
        (
            each
            for each in (morpheme, *morpheme.parts)
            if any("サ変" in kind or "形状詞" in kind for kind in each.kinds)
        ),
        None,
    )


def _denies_noun(morphemes: Sequence[Morpheme], at: int) -> bool:
    """Whether ない only denies what stands before: では ない, わけ では ない."""
    return (
        morphemes[at].form == "無い"
        and at > 1
        and (morphemes[at - 1].form in {"だ", "で"} or morphemes[at - 2].form in {"だ", "で"})
        and morphemes[at - 1].kind in {"助詞", "助動詞"}
    )


def _read_predicate(morphemes: Sequence[Morpheme], at: int, previous: int, text: str) -> Predicate:
    head = morphemes[at]
    core = _action(head) or head
    end, tail = _read_tail(morphemes, at)
    negations = _count_negations(morphemes, at, end) + (head.form in _ABSENCE) + _denied_as_opinion(morphemes, end)
    negations -= bool(negations) and any(each.form == "しか" for each in morphemes[max(0, at - 3) : at])
    is_existence = head.form in _EXISTENCE | _ABSENCE
    subject = _find_subject(morphemes, at, previous)
    forms, keys = _head_keys(core)
    if is_existence:
        forms = keys = frozenset(f"有:{key}" for key in subject.head_keys) if subject else frozenset()
    follower = morphemes[end] if end < len(morphemes) else None
    quoted = follower is not None and follower.form in {"と", "との", "よう", "様"}
    adnominal = follower is not None and (follower.kind in {"名詞", "代名詞", "接頭辞"} or follower.surface == "|")
    light_verb = at + 1 < len(morphemes) and morphemes[at + 1].form in _DO
    closes = follower is None or follower.surface in _STOP
    return Predicate(
        start=head.start,
        end=morphemes[end - 1].end,
        text=text[max(0, head.start - 1) : morphemes[end - 1].end],
        forms=forms,
        keys=keys,
        is_negated=negations % 2 == 1,
        is_done=any(_PAST in each.kinds for each in tail),
        is_passive=any(_PASSIVE in each.kinds for each in tail),
        is_existence=is_existence,
        is_asserted=head.kind in {"動詞", "形容詞"} or light_verb or (closes and not morphemes[at].parts),
        is_quoted=quoted,
        is_adnominal=adnominal,
        is_linked=_is_linked(morphemes, end),
        is_future=_is_future(head, tail) and not adnominal,
        hedge=_find_hedge(morphemes, end, tail),
        subject=subject,
        agent=_find_agent(morphemes, at, previous),
        topics=_find_topics(morphemes, at),
        target=_find_target(morphemes, at, previous),
    )


def _denied_as_opinion(morphemes: Sequence[Morpheme], end: int) -> bool:
    """Whether 〜とは言えない or 〜とは限らない follows."""
    after = morphemes[end : end + 3]
    verb = next((place for place, each in enumerate(after) if each.form in _OPINION), None)
    if not after or after[0].form != "と" or verb is None:
        return False
    _, tail = _read_tail(morphemes, end + verb)
    return any(is_negation(morphemes, end + verb + 1 + place) for place in range(len(tail)))


def _is_linked(morphemes: Sequence[Morpheme], end: int) -> bool:
    """Whether the sentence goes on after し or て."""
    last, after = morphemes[end - 1], [each.form for each in morphemes[end : end + 2]]
    return after[:1] in (["て"], ["で"]) or (last.inflection.startswith("連用形") and after[:1] == ["、"])


def _is_future(head: Morpheme, tail: Sequence[Morpheme]) -> bool:
    """Whether a verb ends without た or ている, which tells what is to come."""
    last = tail[-1] if tail else head
    is_plain = not any(_PAST in each.kinds or each.form in {"て", "で", "ない", "ず"} for each in tail)
    is_verb = head.kind == "動詞" or (bool(tail) and tail[0].form in _DO)
    return is_verb and is_plain and last.inflection.startswith("終止形")


def _head_keys(core: Morpheme) -> tuple[frozenset[str], frozenset[str]]:
    keys = word_keys(core)
    return frozenset(key for key in keys if ":" not in key), keys


def _read_tail(morphemes: Sequence[Morpheme], at: int) -> tuple[int, list[Morpheme]]:
    """Where the inflected predicate ends, and the morphemes that inflect it."""
    end = at + 1
    while end < len(morphemes):
        each, before = morphemes[end], morphemes[end - 1]
        helps = each.kind == "動詞" and _DEPENDENT in each.kinds and before.kind != "助詞"
        after_te = (
            each.kind in {"動詞", "形容詞"} and _DEPENDENT in each.kinds and before.form in _THROUGH | {"だ", "を"}
        )
        inflects = each.kind in {"助動詞", "接尾辞"} or helps or after_te or each.form == "無い"
        passes = each.form in _THROUGH and each.kind == "助詞" and _continues(morphemes, end + 1)
        formal = each.form in _FORMAL and _denied_later(morphemes, end + 1)
        obliged = each.form == "を" and end + 1 < len(morphemes) and morphemes[end + 1].form == "得る"
        if not (inflects or passes or formal or obliged):
            break
        end += 1
    return end, list(morphemes[at + 1 : end])


def _continues(morphemes: Sequence[Morpheme], at: int) -> bool:
    """Whether the predicate goes on after て, は or ば."""
    if at >= len(morphemes):
        return False
    each = morphemes[at]
    return (
        each.kind in {"動詞", "形容詞", "助動詞"} and _DEPENDENT in {*each.kinds, _DEPENDENT * (each.kind == "助動詞")}
    ) or (each.form in {"は", "も"} and _continues(morphemes, at + 1))


def _denied_later(morphemes: Sequence[Morpheme], at: int) -> bool:
    """Whether わけ or こと is followed by では ない or は ない."""
    following = [each.form for each in morphemes[at : at + 4]]
    return bool(following) and following[0] in {"で", "だ", "は", "も", "が"} and "無い" in following[:3]


def _count_negations(morphemes: Sequence[Morpheme], at: int, end: int) -> int:
    """The negations of a predicate. かもしれない means maybe, and ないか asks."""
    if morphemes[at].form == "知れる":
        return 0
    before = morphemes[at - 1] if at else None
    prefixed = before is not None and before.kind == "接頭辞" and before.form in NEGATIVE_PREFIXES
    prefixed = prefixed or any(part.kind == "接頭辞" and part.form in NEGATIVE_PREFIXES for part in morphemes[at].parts)
    return prefixed + sum(is_negation(morphemes, place) for place in range(at + 1, end))


def is_negation(morphemes: Sequence[Morpheme], at: int) -> bool:
    """Whether a morpheme denies what stands before it, or says that it is hard; ないか asks and denies nothing."""
    each = morphemes[at]
    if each.form == "難い":
        return each.kind == "接尾辞"
    if at and morphemes[at - 1].form in _NOT_DENIED:
        return False
    after = "".join(later.surface for later in morphemes[at + 1 : at + 5])
    return each.form in _NEGATIONS and each.kind in {"助動詞", "形容詞"} and not _QUESTION.match(after)


def _find_hedge(morphemes: Sequence[Morpheme], end: int, tail: Sequence[Morpheme]) -> str:
    """The word after a predicate that leaves it open: 予定, 可能性, 検討; empty without one."""
    for each in tail:
        if each.form in _OPEN_AUXILIARIES or _GUESS in each.inflection or each.form in _CONDITION:
            return each.surface
    alleged = [each.form for each in morphemes[end : end + 3]] == ["と", "為る", "て"]
    if alleged and any(_PAST in each.kinds for each in tail):
        return "として"
    hedges = read_words("hedges_ja.txt")
    for each in morphemes[end : end + _LONGEST_GAP]:
        if each.surface in _STOP:
            break
        if each.form in hedges or each.surface in hedges or any(part.form in hedges for part in each.parts):
            is_reason = each.form == "為" and any(_PAST in earlier.kinds for earlier in tail)
            return "" if is_reason else each.surface
        is_idle = each.kind in {"助詞", "助動詞", "接尾辞", "接頭辞"} or each.form in _LIGHT | _FORMAL | _IDLE
        if each.form in _CONDITION:
            return each.surface
        if not is_idle:
            break
    return ""


def _find_subject(morphemes: Sequence[Morpheme], at: int, previous: int) -> NounPhrase | None:
    """The phrase before が in the predicate's own part, else the nearest topic before は."""
    for place in range(at - 1, previous, -1):
        if morphemes[place].form == "が" and morphemes[place].kind == "助詞":
            return noun_phrase_before(morphemes, place)
    for place in range(at - 1, -1, -1):
        if morphemes[place].form in {"は", "も"} and morphemes[place].kinds[:2] == ("助詞", "係助詞"):
            phrase = noun_phrase_before(morphemes, place)
            if phrase is not None and not (morphemes[place].form == "も" and phrase.text in _NOBODY):
                return phrase
    return None


def _find_topics(morphemes: Sequence[Morpheme], at: int) -> tuple[NounPhrase, ...]:
    """The phrases before は or が in front of a predicate, in order."""
    places = (
        place for place in range(at) if morphemes[place].form in {"は", "が", "も"} and morphemes[place].kind == "助詞"
    )
    phrases = (noun_phrase_before(morphemes, place) for place in places)
    return tuple(phrase for phrase in phrases if phrase is not None and phrase.head_keys)


def _find_target(morphemes: Sequence[Morpheme], at: int, previous: int) -> NounPhrase | None:
    """The phrase before を."""
    for place in range(at - 1, previous, -1):
        if morphemes[place].form == "を" and morphemes[place].kind == "助詞":
            return noun_phrase_before(morphemes, place)
    return None


def _find_agent(morphemes: Sequence[Morpheme], at: int, previous: int) -> NounPhrase | None:
    """Who does what a passive tells: the phrase before によって or から."""
    for place in range(at - 1, previous, -1):
        each = morphemes[place]
        by = each.form == "に" and place + 1 < at and morphemes[place + 1].form in {"因る", "よる"}
        if each.kind == "助詞" and (by or each.form == "から"):
            return noun_phrase_before(morphemes, place)
    return None


def _share_hedges(predicates: list[Predicate]) -> list[Predicate]:
    """In 閉鎖し、統合する方針だ the hedge is for both."""
    shared: list[Predicate] = []
    following: Predicate | None = None
    for each in reversed(predicates):
        linked = each.is_linked and not each.hedge and following is not None and not _has_own_topic(following, each.end)
        current = replace(each, hedge=following.hedge) if linked and following is not None else each
        shared.append(current)
        following = current if current.is_asserted else following
    return shared[::-1]


def _has_own_topic(predicate: Predicate, after: int) -> bool:
    return any(topic.start >= after for topic in predicate.topics)


def _negate_relative_clauses(predicates: list[Predicate]) -> Iterator[Predicate]:
    """Where nobody is there who does it, nobody does it: 走る人はいない."""
    absent = [
        (each.subject.clause_start, each.subject.start)
        for each in predicates
        if each.is_negated and each.is_existence and each.subject
    ]
    for each in predicates:
        denied = any(start <= each.start < end for start, end in absent)
        yield replace(each, is_negated=not each.is_negated) if denied else each

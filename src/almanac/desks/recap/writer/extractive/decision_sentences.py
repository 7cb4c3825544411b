"""Decisions as sentences: what was decided, by which count or in which manner, with which result."""

from collections.abc import Sequence

import msgspec

from almanac.desks.recap.model.facts.titles import bill_kind
from almanac.desks.recap.model.record import HouseDecision, Outcome
from almanac.desks.recap.writer.extractive.business_names import newspaper_name
from almanac.desks.recap.writer.extractive.plain_language import kanji_to_digits
from almanac.kit.lazy import lazy_regex

# What a committee recommends, and what a house decides.
_VERBS: dict[Outcome, tuple[str, str]] = {
    "passed": ("可決すべきものと", "可決されました"),
    "amended": ("修正議決すべきものと", "修正議決されました"),
    "approved": ("承認すべきものと", "承認されました"),
    "rejected": ("否決すべきものと", "否決されました"),
    "consented": ("同意すべきものと", "同意することに決しました"),
    "adopted": ("採択すべきものと", "採択されました"),
    "permitted": ("許可すべきものと", "許可されました"),
    "appointed": ("選任すべきものと", "選任されました"),
}
_RECOMMENDS, _OWN_BILL, _NAMED = "すべきもの", "委員会提出の", "指名"
# How a record says that it was decided.
_DECIDED = lazy_regex(r"(?:決し|決定し|決まり|議決し)ました")
# …の選任に関する件: who is chosen stands on papers that the record doesn't have.
_PERSONNEL = lazy_regex(r"(?:選任|任命)(?:に関する)?件\Z|の選任\Z")
_CLAUSE = lazy_regex(r"(?:する|与える)(?P<noun>こと)?\Z|こと\Z")
# Everyday words for the manner of a vote, as far as the record has them too.
_PLAIN_MANNERS = {
    "起立総員": "全員の賛成で",
    "挙手総員": "全員の賛成で",
    "起立多数": "賛成多数で",
    "挙手多数": "賛成多数で",
    "多数": "賛成多数で",
    "全会一致": "全会一致で",
}
_PLAIN_OUTCOMES: dict[Outcome, str] = {
    "passed": "可決",
    "amended": "内容を直して議決",
    "approved": "承認",
    "rejected": "否決",
    "adopted": "採択",
}
_PLAIN_VERBS = {
    "すべきものと": "すべきだと",
    "付することに": "付けることに",
    "任命することについて、申出のとおり同意を与えること": "任命することへの同意",
    "任命について同意すること": "任命への同意",
    "に決しました": "に決まりました",
    "と決しました": "と決まりました",
}
_BY_MANNER = {"異議なし": "異議なしで", "過半数": "過半数の賛成で", "多数": "賛成多数で", "": ""}
# What only people in the room can follow: papers handed out, “this”, “today”, the rule that applies.
_IN_THE_ROOM = (
    (
        lazy_regex(
            r"(?:の[両三四五六]件)?につきまして(?:は)?、(?:いずれも)?お手元に配付の案を委員会の成案と決定し、これを"
        ),
        "を",
    ),
    (lazy_regex(r"(?:の[両三四五六]件)?につきまして(?:は)?、(?:いずれも)?お手元に配付の案のとおり"), "を、案のとおり"),
    (lazy_regex(r"につきまして(?:は)?、これを"), "を"),
    (lazy_regex(r"、[^、]{2,30}規則第[^、]{2,20}により、(?:本院において)?"), ""),
    (lazy_regex(r"本日から"), ""),
    (
        lazy_regex(r"(?:\A|(?<=、))[^、。]{4,80}?(?:ため|よう)[^、。]{0,10}?委員[0-9一二三四五六七八九十]+人よりなる"),
        "",
    ),
    (lazy_regex(r"を設置\Z"), "を設置すること"),
)
_NOMINEES = lazy_regex(r"\A(?P<who>.+)を任命することについて")
_NOMINATED = lazy_regex(r"\A(?P<who>.+)の任命について")
_MANY_NAMES, _LONGEST_NAMES = 3, 70


def decision_sentences(decision: HouseDecision) -> tuple[str, ...]:
    """The sentence with its count or manner, and without; none if the record doesn't tell the subject."""
    if not decision.subject:
        return ()
    decision = msgspec.structs.replace(decision, subject=readable_subject(decision.subject))
    ways = dict.fromkeys(way for way in (_count(decision), _manner(decision)) if way)
    return tuple(_sentence(decision, how) for how in (*ways, ""))


def plain_kind(decision: HouseDecision) -> tuple[str, bool]:
    """What decisions share that are told together in plain words; what isn't about a bill is told by itself."""
    if is_own_draft(decision) and not _CLAUSE.search(decision.subject):
        return "own", False
    if decision.outcome in _PLAIN_OUTCOMES and not _CLAUSE.search(decision.subject):
        return decision.outcome, _RECOMMENDS in decision.text
    return f"{decision.order} {decision.subject}", False


def plain_decision_sentences(place: str, decisions: Sequence[HouseDecision]) -> tuple[str, ...]:
    """Who decided what, in plainer words; with the count or who agreed where it is one decision, and without."""
    first = msgspec.structs.replace(decisions[0], subject=newspaper_name(brief_subject(decisions[0].subject)))
    how = _count(first) or _PLAIN_MANNERS.get(first.manner, _manner(first)) if len(decisions) == 1 else ""
    names = [newspaper_name(readable_subject(each.subject)) for each in decisions]
    listed = "、".join(names[:_MANY_NAMES]) + ("など" if len(names) > _MANY_NAMES else "")
    if is_own_draft(first) and not _CLAUSE.search(first.subject):
        sentences = [f"{place}は、{listed}を{way}委員会の案として提出することに決めました。" for way in (how, "")]
    elif first.outcome in _PLAIN_OUTCOMES and not _CLAUSE.search(first.subject):
        verb = _PLAIN_OUTCOMES[first.outcome]
        ending = f"{verb}すべきだと決めました" if _RECOMMENDS in first.text else f"{verb}しました"
        sentences = [f"{place}は、{listed}を{way}{ending}。" for way in (how, "")]
    else:
        sentences = [f"{place}で、{_in_plain_words(_passive(first, way))}" for way in (how, "")]
    return tuple(dict.fromkeys(sentences))


def _passive(decision: HouseDecision, how: str) -> str:
    """What was decided, with the manner just before the verb."""
    subject = decision.subject
    if subject.endswith(_RECOMMENDS):
        return f"{subject}と{how}決まりました。"
    if not _CLAUSE.search(subject):
        return _sentence(decision, how)
    return f"{subject}{'' if subject.endswith('こと') else 'こと'}が{how}決まりました。"


def _in_plain_words(text: str) -> str:
    for officialese, everyday in _PLAIN_VERBS.items():
        text = text.replace(officialese, everyday)
    return text


def readable_subject(subject: str) -> str:
    """What was decided without what only people in the room can follow, and with digits."""
    for pattern, instead in _IN_THE_ROOM:
        subject = pattern.sub(instead, subject)
    return kanji_to_digits(subject)


def brief_subject(subject: str) -> str:
    """A readable subject in which など stands for all but the first of many names."""
    subject = readable_subject(subject)
    if (match := _NOMINEES.match(subject)) and match["who"].count("を、") >= _MANY_NAMES:
        who = "、".join(match["who"].split("を、")[: _MANY_NAMES - 1])
        return f"{who}など{subject[match.end('who') :]}"
    if (match := _NOMINATED.match(subject)) and len(match["who"]) > _LONGEST_NAMES:
        who = "、".join(match["who"].split("、")[: _MANY_NAMES - 1])
        return f"{who}など{subject[match.end('who') :]}"
    return subject


def appointed_together(decisions: Sequence[HouseDecision], most: int) -> HouseDecision:
    """Appointments of one ruling as one decision; beyond `most` the rest is など."""
    subjects = [each.subject for each in decisions]
    listed = "、".join(subjects[:most]) + ("など" if len(subjects) > most else "")
    return msgspec.structs.replace(decisions[0], subject=listed)


def is_own_draft(decision: HouseDecision) -> bool:
    """Whether a committee decided to introduce the bill itself; it adopts no other bills."""
    own = decision.outcome in ("adopted", "introduced") and bill_kind(decision.subject) == "bill"
    return own or _OWN_BILL in decision.text


def _sentence(decision: HouseDecision, how: str) -> str:
    subject = decision.subject
    in_record = _DECIDED.search(decision.text.replace("いたしました", "しました"))
    decided = in_record[0] if in_record else "決しました"
    if subject.endswith("附帯決議"):
        return f"{subject}を{how}付することに{decided}。"
    if _CLAUSE.search(subject):
        clause = subject if subject.endswith("こと") else f"{subject}こと"
        return f"{how}{'、' if how else ''}{clause}に{decided}。"
    if subject.endswith(_RECOMMENDS):
        return f"{how}{'、' if how else ''}{subject}と{decided}。"
    if is_own_draft(decision):
        return f"{subject}を{how}委員会提出とすることに{decided}。"
    return f"{subject}{_ending(decision, how, decided)}。"


def _ending(decision: HouseDecision, how: str, decided: str) -> str:
    verbs = _VERBS.get(decision.outcome)
    if verbs is None:
        return f"が{how}決まりました"
    if decision.outcome == "appointed" and _PERSONNEL.search(decision.subject):
        return f"について、{how}案のとおり選任することに{decided}"
    if decision.outcome in ("permitted", "appointed"):
        return f"が{how}{'指名されました' if _NAMED in decision.text else verbs[1]}"
    return f"は、{how}{verbs[0]}{decided}" if _RECOMMENDS in decision.text else f"は、{how}{verbs[1]}"


def _manner(decision: HouseDecision) -> str:
    return _BY_MANNER.get(decision.manner, f"{decision.manner}で")


def _count(decision: HouseDecision) -> str:
    vote = decision.vote
    if vote is not None and vote.total is not None and decision.votes_won is not None:
        how = f"{decision.method}の結果、" if decision.method.endswith("投票") else ""
        return f"{how}投票総数{vote.total}票のうち{decision.votes_won}票で"
    if vote is None or vote.in_favour is None or vote.against is None:
        return ""
    return f"賛成{vote.in_favour}、反対{vote.against}で"

"""The course of a sitting as its chair leads it: what is laid before the house, put to the vote, and decided.

The chair's sentences are followed in order. One that lays business before the house sets what is under discussion; one
that puts a question says which of it, by title, by number or by pointing (本案, 両案, 残余の三案); one that announces
the result decides the question that was put. A result is bound to nothing that the chair didn't name: where the record
doesn't let us tell, the ruling has no items and no subject.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from almanac.desks.recap.model.facts.agenda import agenda_titles, build_item, titles_announced
from almanac.desks.recap.model.facts.chair_sentences import ChairSentence, list_chair_sentences
from almanac.desks.recap.model.facts.titles import bare_title, bill_key, is_business, title_notes
from almanac.desks.recap.model.facts.votes import find_manner, read_vote
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import AgendaItem, Vote
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import parse_kanji_number

_DIGITS = "一二三四五六七八九十百"
_NUMBERS = lazy_regex(rf"日程第([{_DIGITS}]+)(?:(?:ないし|から|乃至)(?:日程)?第([{_DIGITS}]+))?")
_AND_NUMBER = lazy_regex(rf"(?:及び|、|並びに)(?:日程)?第([{_DIGITS}]+)(?=[^{_DIGITS}回条項号次期種類章])")
# …を議題といたします, …の趣旨の説明を求めます, 日程第二に入ります: business comes before the house.
_LAYS = lazy_regex(r"議題と(?:いた)?[しす]|趣旨の?説明を|調査を(?:進め|行)|\A(?:(?:次に|これより|まず)、?)*日程第")
# …の採決をいたします, …について採決いたします: the chair opens a vote.
_OPENS_VOTE = lazy_regex(r"採決(?:を|に)?(?:いたし|し|行い|行う|入り|入る|移り)")
# …に賛成の諸君の起立を求めます, …に御異議ありませんか, 投票ボタンをお押し願います: the question itself.
_PUTS = lazy_regex(
    r"賛成(?:の|する)(?:諸君|方|各位|皆さん|委員)[^。]{0,12}(?:起立|挙手|白色票|御起立)|御?異議(?:は)?(?:あり|ござい)ません"
    r"|投票ボタンを|賛否(?:について|を)|白色票を|(?:起立|挙手)を(?:求め|願い|お願い)"
)
# 本案は, 原案について: one bill, named before. 両案, 以上三案: as many as the number says, named before.
_SINGLE = lazy_regex(
    r"(?:\A|[、。\n])(?:[^、。\n]{0,8}(?:よって|次に|まず)、)?(?:これより)?(?:"
    r"本(?:法律案|法案|案|件|予算|決議案|条約|協定|議定書|規則案|規程案|請願)|原案|[^、。]{0,20}修正部分を除く原案)(?=[はをにの]|について|に対し)"
)
_SEVERAL = lazy_regex(
    rf"(?:以上の?)?(?P<count>両|[{_DIGITS}]+|各)(?:法律案|法案|予算|議案|承認案件|案件|案|件)(?=[はをにのとが、。]|いずれも|とも|について)"
)
_REST = lazy_regex(rf"残余の|残りの|その他の(?:各|両|[{_DIGITS}])|を除く(?:その他の)?(?:[{_DIGITS}両各])")
_AMENDMENT = lazy_regex(
    r"(?P<whose>[^、。\n]{2,40}?(?:君|名|派)(?:外[^、。]{1,4}名)?提出の)?修正案(?:（[^（）]{1,60}）)?(?=[はをにの、。と]|について)"
)
_WITHOUT_AMENDED = lazy_regex(r"修正部分を除|除く原案|除いた原案|修正案のとおり|修正議決")
_SUPPLEMENT = lazy_regex(r"附帯決議")
_MOTION = lazy_regex(r"(?P<whose>[^、。\n]{2,40}?提出の)?動議(?=[はをにの、。が]|について)")
# …法律案起草の件, 草案を…法律案の成案とし, …規則の一部改正の件: a committee makes a bill of its own.
_DRAFTED = lazy_regex(
    r"(?:[^、。]{0,40}(?:草案|起草案|の案)を)?(?P<title>[^、。\n]{4,150}?(?:法律案|法案|規則案|規程案|決議案))(?:起草の件|の成案と)|(?P<change>[^、。\n]{4,150}?の(?:一部改正|制定|廃止)の件)につ"
)
_RESULT = lazy_regex(r"(?:\A|[、。\s　])(?:よって|右の結果|以上の結果|この結果|したがって)")
_RESULT_LINE = lazy_regex(r"(?s)\A.*[\s　](?=(?:よって|右の結果|以上の結果)、)")
_SETTLED = lazy_regex(
    r"(?:決し|決まり|決定(?:いた)?し|なり|可決(?:いた)?し|可決され|否決され|否決(?:いた)?し|承認され|議決され|採択され|成立(?:いた)?し"
    r"|選任(?:いた)?し|許可(?:いた)?し|付託(?:いた)?し)(?:ました|ます|た)(?!から)|当選に?(?:なり|され)ました|さよう(?:決定|取り計ら)|そのように(?:決|取り計)"
)
# 議長は、総務委員長に宮崎勝君を指名いたします: the chair appoints, as the house has left it to them.
_APPOINTS = lazy_regex(r"指名(?:いた)?します。?\Z")
_POST = r"(?:委員長|委員|理事|会長|主査|議長|予備員|裁判員|係)"
_ONE_POST = lazy_regex(
    rf"(?P<post>[^、。\s　]{{0,40}}?{_POST})に、?(?P<names>[^、。\n]{{2,14}}君(?:(?:、|及び)[^、。\n]{{2,14}}君)*)を"
)
_POST_LINE = lazy_regex(rf"(?m)^(?P<post>[^\s　]{{2,30}}{_POST})[ 　]+(?P<names>[^\n]{{2,14}}君)$")
_ELECTED = lazy_regex(r"(?P<names>[^、。\n]{2,14}君)が(?P<post>[^、。]{1,30})に御?当選")
_COMMITTEES = lazy_regex(r"(?:よりなる|から成る)([^、。\n]{2,50}?特別委員会)")
# これより内閣総理大臣の指名を行います: business without a bill.
_UNDERTAKES = lazy_regex(
    r"\A(?:(?:よって|次に|この際|つきましては)、)?(?:これより)?(?P<title>[^、。]{2,60}の(?:指名|選挙|選任|互選|表彰))を行い"
)
_RESOLVES = lazy_regex(r"(?:提案|提出)による(?P<what>[^、。]{2,80}?)(?:について|につき)決議(?:を)?すべし")
_WITHDRAWS = lazy_regex(
    r"(?P<what>[^、。]{2,80}?(?:案|動議|件))(?:につきまして|について|は)、[^。]{0,40}撤回[^。]{0,12}申出"
)
_RESIGNS = lazy_regex(r"(?P<who>[^。\n]{2,400}君)から、?(?:それぞれ)?(?P<post>[^、。]{2,40}?)を辞任いたしたい")
_PROPOSES = lazy_regex(r"(?:いた)?したいと(?:存じ|思い)(?:、これを発議いたし)?ます|されたいと存じ")
_BACKWARD = lazy_regex(
    r"\A(?:これ|右|そ)(?:に|を|の)|\A(?:いずれも)?(?:これを)?許可|\A(?:本件|本案|両件)(?:を|に|につき)"
)
# What a chair asks in passing: who may attend, who writes the report, how long, in which order.
_FORMAL = lazy_regex(
    r"政府参考人|参考人(?:として|の出席|出頭)|出席を求め|報告書の作成|一任|手続(?:等)?(?:につきまして|を省略)|議事を進め|議題とする|緊急上程|質疑時間|討論時間"
    r"|請暇|会議録|(?:理事|小委員)の補欠|議事進行係|散会されること|延期し|派遣委員|連合審査|公聴会|送付の手続|議席|暫時|動議のとおり"
)
_MATTER = lazy_regex(
    r"\A(?P<matter>[^。]{2,200}?)(?:につ(?:き|いて)(?:お諮り|採決)|についてで(?:あり|ござい)ますが|の件につ(?:き|いて)お諮り)"
)
_ASKED = lazy_regex(
    r"(?P<what>[^。]{2,600}?(?:する|した|与える|決する|とする)(?:こと)?)(?:に(?:つき)?|について)、?(?:賛成の|御?異議)"
    r"|(?P<want>[^。]{2,900}?)(?:いたしたい|したい)と(?:存じ|思い)"
    r"|(?P<other>[^。]{2,600}?)(?:に|について)、?(?:賛成の|御?異議)"
)
_OWN_RESULT = lazy_regex(
    r"(?:よって|右の結果|以上の結果|認め)、(?:本院は、)?(?P<what>[^。]{2,300}?)(?:に決|(?<=すべきもの)と[^。]{0,20}決)"
)
_EMPTY = lazy_regex(
    r"そ|さよう|議長|委員長|いずれも|許可|同意|選任|動議のとおり|本[^、]{1,8}[はをに]|これ|理事会|ただいまの|の?事務総長|(?:以上の?)?(?:両|各|[二三四五六七八九十]+)(?:法律案|法案|議案|案|件)[はをに]"
)
_OPENER = lazy_regex(
    r"\A(?:ただいまの事務総長の?(?:報告|説明)のとおり、?|(?:次に|まず|この際|最後に|続いて|それでは|では|また|なお|つきましては|これより|ただいま|内閣からの申出中|初めに|引き続き)、?"
    r"|(?:衆議院|参議院|本院)[^、。]{0,30}(?:規則|規程)第[^、。]{1,12}(?:の規定)?(?:により|に基づき|に基づいて)、?)+"
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """One announced result: the sentence, what it was about, and the question that had been put.

    `items` are the agenda items it decided; `aspect` is what of them if not the whole: a supplementary resolution, an
    amendment, a motion. `subject` has the chair's own words for what was decided. Without items and subject the record
    doesn't let us tell. `asked_at` is the speech with the question. A formal one concerns the conduct of the sitting.
    """

    order: int
    text: str
    question: str = ""
    items: tuple[AgendaItem, ...] = ()
    asked_at: int | None = None
    subject: str = ""
    aspect: str = ""
    manner: str = ""
    vote: Vote | None = None
    is_formal: bool = False


@dataclass(frozen=True, slots=True)
class SittingCourse:
    """The business of a sitting, each with the speeches made while it was under discussion, and all results."""

    items: tuple[AgendaItem, ...]
    rulings: tuple[Ruling, ...]


@dataclass(slots=True)
class _Question:
    """What the chair asks the house to decide, as far as it was put so far."""

    text: str = ""
    order: int | None = None
    opening: str = ""
    items: list[AgendaItem] = field(default_factory=list)
    aspect: str = ""
    subject: str = ""
    is_put: bool = False


@dataclass(slots=True)
class _Floor:
    """The state of the sitting: every item, those under discussion, those named last, and the open question."""

    session: int
    known: list[AgendaItem]
    discussed: dict[int, set[int]] = field(default_factory=dict)
    current: list[AgendaItem] = field(default_factory=list)
    focus: list[AgendaItem] = field(default_factory=list)
    decided: set[str] = field(default_factory=set)
    matter: str = ""
    motion: str = ""
    question: _Question = field(default_factory=_Question)
    manner: str = ""
    tally: str = ""
    previous: str = ""


@lru_cache(maxsize=2)
def follow_sitting(meeting: Meeting) -> SittingCourse:
    """The course of a sitting, read from its header and from what its chair says.

    The last ones are cached, since facts, debate and evidence of a recap all begin with it.
    """
    floor = _Floor(meeting.session, _listed_items(meeting))
    spoken = [speech.order for speech in meeting.spoken]
    rulings = tuple(_follow(floor, list_chair_sentences(meeting), spoken))
    only = [at for at, item in enumerate(floor.known) if is_business(item.title)]
    if not floor.discussed and len(only) == 1:
        floor.discussed[only[0]] = set(spoken)
    items = (
        msgspec.structs.replace(item, orders=tuple(sorted(floor.discussed.get(at, ()))))
        for at, item in enumerate(floor.known)
    )
    return SittingCourse(tuple(items), rulings)


def _listed_items(meeting: Meeting) -> list[AgendaItem]:
    """The items of the header, each once; of two bills with one title each is called by its notes as well."""
    items: dict[str, AgendaItem] = {}
    titles = agenda_titles(meeting)
    times = Counter((bare_title(title), title_notes(title)) for title in titles)
    of_one_title = Counter(title for title, _ in times)
    for title in titles:
        item, notes = build_item(title, (), meeting.session), title_notes(title)
        if of_one_title[item.title] > 1 and notes and item.bill:
            name = f"{item.title}（{'、'.join(notes)}）"
            item = msgspec.structs.replace(item, title=name, bill=bill_key(name, meeting.session, notes=notes))
        items.setdefault(item.title, item)
    return list(items.values())


def _follow(floor: _Floor, sentences: Iterable[ChairSentence], spoken: Sequence[int]) -> Iterator[Ruling]:
    order = -1
    for sentence in sentences:
        text = sentence.text
        if sentence.order != order:
            _discuss(floor, (each for each in spoken if order < each < sentence.order))
            order, floor.manner, floor.tally = sentence.order, "", ""
        if sentence.is_motion:
            floor.motion = text
            _discuss(floor, (order,))
            continue
        if sentence.is_heading or _LAYS.search(text) or _UNDERTAKES.match(text):
            _lay(floor, sentence)
        if _APPOINTS.search(text) or _POST_LINE.search(text):
            yield from _appointments(sentence)
        elif _is_result(floor, text):
            yield _decide(floor, sentence)
        elif not sentence.is_heading:
            floor.manner = find_manner(text) or floor.manner
            floor.tally += text
            _hear_question(floor, sentence)
        if not sentence.is_heading:
            _discuss(floor, (order,))
        floor.previous = text
    _discuss(floor, (each for each in spoken if each > order))


def _discuss(floor: _Floor, orders: Iterable[int]) -> None:
    """Count speeches among those about the business under discussion."""
    passed = set(orders)
    for item in floor.current if passed else ():
        floor.discussed.setdefault(floor.known.index(item), set()).update(passed)


def _appointments(sentence: ChairSentence) -> Iterator[Ruling]:
    """Who was named to which post; long lists of members are left to the record."""
    for match in (*_ONE_POST.finditer(sentence.text), *_POST_LINE.finditer(sentence.text)):
        names = re.sub(r"[\s　]", "", match["names"])
        yield Ruling(order=sentence.order, text=sentence.text, subject=f"{match['post']}に{names}", aspect="指名")


def _lay(floor: _Floor, sentence: ChairSentence) -> None:
    """Take up what a sentence lays before the house; other business is then no longer under discussion."""
    if sentence.is_heading:
        floor.current, floor.focus = [], []
    titles = [title for title in titles_announced(sentence.text) if not re.search(r"附帯決議|修正案\Z|動議", title)]
    if undertaken := _UNDERTAKES.match(sentence.text):
        titles = [undertaken["title"]]
    items = [_known_item(floor, title) for title in titles] or _by_number(floor, sentence.text)
    if sentence.is_heading and not items:
        items = [_known_item(floor, line) for line in sentence.text.split("\n") if len(bare_title(line)) > 3]
    if items:
        floor.current, floor.focus = items, list(items)
        floor.matter, floor.motion, floor.question = "", "", _Question()


def _known_item(floor: _Floor, title: str) -> AgendaItem:
    item = build_item(title, (), floor.session)
    same = [each for each in floor.known if each.title == item.title]
    numbered = [each for each in same if item.number is not None and each.number == item.number]
    ends = [
        each for each in floor.known if each.title.endswith(f"、{item.title}") or item.title.endswith(f"、{each.title}")
    ]
    if candidates := numbered or same or ends:
        return candidates[0]
    floor.known.append(item)
    return item


def _by_number(floor: _Floor, text: str) -> list[AgendaItem]:
    """The items that a sentence calls by their number on the agenda, such as 日程第二ないし第四."""
    numbers: set[int] = set()
    for match in _NUMBERS.finditer(text):
        first = parse_kanji_number(match[1]) or 0
        last = (parse_kanji_number(match[2]) if match[2] else None) or first
        numbers.update(range(first, last + 1))
        numbers.update(parse_kanji_number(further[1]) or 0 for further in _AND_NUMBER.finditer(text, match.end()))
    return [each for each in floor.known if each.number in numbers]


def _named(floor: _Floor, text: str) -> list[AgendaItem]:
    """The items whose titles a sentence has, longest first, so that a title within another isn't taken for it."""
    plain = re.sub(r"[\s　]", "", text)
    named: list[AgendaItem] = []
    for item in sorted(floor.known, key=lambda each: -len(each.title)):
        title = re.sub(r"[\s　]", "", item.title)
        if len(title) > 3 and title in plain:
            plain = plain.replace(title, "")
            named.append(item)
    return sorted(named, key=floor.known.index)


def _hear_question(floor: _Floor, sentence: ChairSentence) -> None:
    """Keep what a sentence adds to the question: that a vote is opened, on what, and that it is put."""
    text = sentence.text
    opens, puts = _OPENS_VOTE.search(text), _PUTS.search(text)
    if match := _MATTER.match(_strip_opener(text)):
        floor.matter = match["matter"]
    if "動議" in text and "提出" in text:
        floor.motion = text
    if not opens and not puts:
        return
    if opens or floor.question.is_put:
        floor.question = _Question(opening=text if opens else "")
    question = floor.question
    items, aspect = _point(floor, text)
    if (drafted := _DRAFTED.search(text)) and not aspect:
        items = [_known_item(floor, _strip_opener(drafted["title"] or drafted["change"]))]
    question.items, question.aspect = items or question.items, max(aspect, question.aspect, key=len)
    if items and not aspect:
        floor.focus = items
    if puts:
        question.text, question.order, question.is_put = text, sentence.order, True
        question.subject = _asked_before(floor) if _BACKWARD.match(text) else _asked(text)


def _point(floor: _Floor, text: str) -> tuple[list[AgendaItem], str]:
    """The items that a sentence means, and which aspect of them: an amendment, a supplementary resolution, a motion."""
    aspect = _aspect(floor, text)
    items = _named(floor, text) or _by_number(floor, text)
    if items or aspect.endswith("動議"):
        return items, aspect
    if aspect and len(floor.focus) == 1:
        return floor.focus, aspect
    if _REST.search(text):
        return [each for each in floor.current if each.title not in floor.decided], aspect
    if several := _SEVERAL.search(text):
        return _group(floor, several["count"]), aspect
    if _SINGLE.search(text) and len(floor.focus) == 1:
        return floor.focus, aspect
    return [], aspect


def _aspect(floor: _Floor, text: str) -> str:
    if _SUPPLEMENT.search(text) or (_MOTION.search(text) and _SUPPLEMENT.search(floor.motion)):
        return "附帯決議"
    if _WITHOUT_AMENDED.search(text):
        return ""
    if match := _AMENDMENT.search(text):
        return f"{_strip_opener(match['whose'] or '')}修正案"
    motion = _MOTION.search(text)
    return f"{_strip_opener(motion['whose'] or '')}動議" if motion else ""


def _group(floor: _Floor, count: str) -> list[AgendaItem]:
    """両案 and 三案: as many as the chair says, among those named last or under discussion."""
    size = {"両": 2, "各": 0}.get(count, parse_kanji_number(count) or 0)
    undecided = [each for each in floor.current if each.title not in floor.decided]
    for group in (floor.focus, floor.current, undecided):
        if len(group) == size or (size == 0 and len(group) > 1):
            return list(group)
    return []


def _is_result(floor: _Floor, text: str) -> bool:
    if not _SETTLED.search(text) or "委員長の報告は" in text or _PUTS.search(text):
        return False
    return bool(_RESULT.search(text) or floor.manner or find_manner(text))


def _decide(floor: _Floor, sentence: ChairSentence) -> Ruling:
    question, text = floor.question, sentence.text
    own, aspect = _point(floor, text)
    aspect = max(aspect, question.aspect, key=len)
    items = own if _named(floor, text) or not question.items else question.items
    of_its_own = question.is_put and not question.items and question.subject and not _EMPTY.match(question.subject)
    if (aspect.endswith("動議") or of_its_own) and not _named(floor, text):
        items = []
    if not items and len(floor.current) == 1 and not is_business(floor.current[0].title):
        items = floor.current
    subject = _subject(floor, text)
    untold = not (question.is_put or items or subject) and re.search(r"そのように|さよう", text)
    asked = f"{question.text}{floor.matter}{text}"
    is_formal = bool(untold or _FORMAL.search(asked)) and not _names_business(question, items)
    ruling = Ruling(
        order=sentence.order,
        text=_RESULT_LINE.sub("", text),
        question=question.text or question.opening,
        asked_at=question.order,
        items=() if is_formal else tuple(items),
        subject=subject,
        aspect=aspect,
        manner=floor.manner or find_manner(text),
        vote=read_vote(floor.tally + text),
        is_formal=is_formal,
    )
    if not aspect and not is_formal:
        floor.decided.update(each.title for each in items)
    floor.question, floor.matter, floor.manner, floor.tally = _Question(), "", "", ""
    return ruling


def _names_business(question: _Question, items: Sequence[AgendaItem]) -> bool:
    """Whether a bill itself is decided about, though words of form are there too."""
    return any(is_business(item.title) for item in items) and bool(
        re.search(r"[可否]決|承認する|成案と", question.text)
    )


def _subject(floor: _Floor, text: str) -> str:
    """What was decided, in the chair's words: those of the result, of the question, or of the matter before it."""
    if elected := _ELECTED.search(text):
        return f"{elected['post']}に{elected['names'].rpartition('、')[2]}"
    if floor.question.aspect.endswith("動議") and (resolved := _RESOLVES.search(floor.motion)):
        return resolved["what"]
    own = _OWN_RESULT.search(text)
    candidates = (own["what"] if own else "", floor.question.subject, _opened(floor.question.opening), floor.matter)
    return next(
        (_set_up(words) for each in candidates if (words := each.strip("、 　")) and not _EMPTY.match(words)), ""
    )


def _set_up(words: str) -> str:
    """The committees that are set up, without what each is for."""
    names = _COMMITTEES.findall(words) if "設置" in words else []
    return f"{'、'.join(names)}の設置" if len(names) > 1 else words


def _asked_before(floor: _Floor) -> str:
    """What これに or これを許可する asks about: the proposal, resignation or withdrawal of the sentence before."""
    before = floor.previous
    if resignation := _RESIGNS.search(before):
        return f"{_strip_opener(resignation['who'])}の{resignation['post']}辞任"
    if withdrawal := _WITHDRAWS.search(before):
        return f"{_strip_opener(withdrawal['what']).removeprefix('議題となっております')}の撤回"
    return _asked(before) if _PROPOSES.search(before) else ""


def _opened(text: str) -> str:
    match = re.search(r"(?P<what>[^。]{2,400}?)(?:について|の|を)採決", _strip_opener(text))
    return match["what"] if match else ""


def _asked(text: str) -> str:
    match = _ASKED.search(_strip_opener(text))
    words = (match["what"] or match["want"] or match["other"]) if match else ""
    return words.replace("\n", "、") if len(words) > 3 else ""


def _strip_opener(text: str) -> str:
    return _OPENER.sub("", text.strip("　 、\n")).strip("　 、\n")

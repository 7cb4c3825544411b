"""The course of a sitting as its chair leads it: what is laid before the house, put to the vote, and decided.

The chair's sentences are followed in order. One that lays business before the house sets what is under discussion; one
that puts a question says which of it, by title, by number or by pointing (本案, 両案, 残余の三案); one that announces
the result decides the question that was put. A result is bound to nothing that the chair didn't name: where the record
doesn't let us tell, the ruling has no items and no subject.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from almanac.desks.recap.model.facts.agenda import agenda_titles, build_item, titles_announced
from almanac.desks.recap.model.facts.chair_sentences import ChairSentence, list_chair_sentences
from almanac.desks.recap.model.facts.committee_reports import hear_report
from almanac.desks.recap.model.facts.floor import Floor, Question, Ruling, SittingCourse
from almanac.desks.recap.model.facts.item_references import (
    find_or_add_item,
    items_by_number,
    named_items,
    point_to_items,
)
from almanac.desks.recap.model.facts.ruling_subjects import (
    POINTS_BACK,
    asked_before,
    asked_in,
    strip_opener,
    subject_of_ruling,
)
from almanac.desks.recap.model.facts.titles import bare_title, bill_key, bill_kind, is_business, title_notes
from almanac.desks.recap.model.facts.votes import find_manner, find_method, read_vote
from almanac.desks.recap.model.facts.weights import PREMIER
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import AgendaItem
from almanac.kit.lazy import lazy_regex

# …を議題といたします, …の趣旨の説明を求めます, 日程第二に入ります: business comes before the house.
_LAYS = lazy_regex(
    r"議題(?:と(?:いた)?[しす]|に供)|問題に供|趣旨の?説明を|調査を(?:進め|行)|\A(?:(?:次に|これより|まず)、?)*日程第"
)
# …の採決をいたします, …について採決いたします: the chair opens a vote.
_OPENS_VOTE = lazy_regex(r"採決(?:を|に)?(?:いたし|し|行い|行う|入り|入る|移り)")
# …に賛成の諸君の起立を求めます, …に御異議ありませんか, 投票ボタンをお押し願います: the question itself.
_PUTS = lazy_regex(
    r"賛成(?:の|する)(?:諸君|方|各位|皆さん|委員)[^。]{0,12}(?:起立|挙手|白色?票|御起立)|御?異議(?:は)?(?:あり|ござい)ません"
    r"|投票ボタンを|賛否(?:について|を)|白色?票(?:を|、)|(?:起立|挙手)を(?:求め|願い|お願い|請い|命じ)"
)
# …法律案起草の件, 草案を…法律案の成案とし, …規則の一部改正の件: a committee makes a bill of its own.
_DRAFTED = lazy_regex(
    r"(?:[^、。]{0,40}(?:草案|起草案|の案)を)?(?P<title>[^、。\n]{4,150}?(?:法律案|法案|規則案|規程案|決議案))(?:起草の件|の成案と)|(?P<change>[^、。\n]{4,150}?の(?:一部改正|制定|廃止)の件)につ"
)
_RESULT = lazy_regex(r"(?:\A|[、。\s　])(?:よって|右の結果|以上の結果|この結果|したがって)")
_RESULT_LINE = lazy_regex(r"(?s)\A.*[\s　](?=(?:よって|右の結果|以上の結果)、)")
_SETTLED = lazy_regex(
    r"(?:決し|決まり|決定(?:いた)?し|なり|可決(?:いた)?し|可決され|否決され|否決(?:いた)?し|承認され|議決(?:され|(?:いた)?し)|採択(?:され|(?:いた)?し)|成立(?:いた)?し"
    r"|選任(?:いた)?し|許可(?:いた)?し|付託(?:いた)?し)(?:ました|ます|た)(?!から)|当選に?(?:なり|され)ました|さよう(?:決定|取り計ら)|そのように(?:決|取り計)"
)
# 議長は、総務委員長に宮崎勝君を指名いたします: the chair appoints, as the house has left it to them.
_APPOINTS = lazy_regex(r"指名(?:いた)?します。?\Z|指名(?:いた)?しましたので、御了承")
_POST = r"(?:委員長|委員|理事|会長|主査|議長|予備員|裁判員|係)"
_ONE_POST = lazy_regex(
    rf"(?P<post>[^、。\s　]{{0,40}}?{_POST})に、?(?P<names>[^、。\n]{{2,14}}君(?:(?:、|及び)[^、。\n]{{2,14}}君)*)を"
)
_POST_LINE = lazy_regex(rf"(?m)^(?P<post>[^\s　]{{2,30}}{_POST})[ 　]+(?P<names>[^\n]{{2,14}}君)$")
# これより内閣総理大臣の指名を行います: business without a bill.
_UNDERTAKES = lazy_regex(
    r"\A(?:(?:よって|次に|この際|つきましては)、)?(?:これより)?(?P<title>[^、。]{2,60}の(?:指名|選挙|選任|互選|表彰))(?P<draft>)を行い"
)
_BACKWARD = lazy_regex(
    r"\A(?:これ|右|そ|同君)(?:に|を|の)|\A(?:いずれも)?(?:これを)?許可|\A(?:本件|本案|両件)(?:を|に|につき)"
)
# What a chair asks in passing: who may attend, who writes the report, how long, in which order.
_FORMAL = lazy_regex(
    r"政府参考人|参考人(?:として|の出席|出頭)|出席を求め|報告書の作成|一任|手続(?:等)?(?:につきまして|を省略)|議事を進め|議題とする|緊急上程|質疑時間|討論時間"
    r"|請暇|会議録|(?:理事|小委員)の補欠|議事進行係|散会されること|延期し|派遣委員|委員派遣|連合審査|公聴会|送付の手続|議席|暫時|動議のとおり|審査を省略|(?:質疑|討論)を?(?:省略|終局|終結|打ち?切)|直ちに採決"
    r"|日程(?:に追加|を変更|の順序)|発言時間|先議|趣旨説明を?(?:聴取|省略)|委員長?の補欠"
)
# What is about how the sitting goes on, though words of form are there too.
_NOT_FORMAL = lazy_regex(
    r"辞任を許可|辞職|(?:選任|任命)に関する件|君を[^、。]{1,20}に(?:選任|指名)する|係は、[^。]*君にお願い"
)
# Items of a header that are only about how a sitting is held.
_CONDUCT = lazy_regex(r"参考人|公聴会|連合審査|委員派遣|理事の|異動|会議録")
# 次に、会期の件についてでありますが: the committee on rules takes up what its header lists.
_TAKES_UP = lazy_regex(
    r"(?P<title>[^。、]{2,60}の件)についてで(?:あり|ござい)ますが|(?P<draft>[^。]{4,200}法律案)起草の件について議事を進め"
)
_MATTER = lazy_regex(
    r"\A(?P<matter>[^。]{2,200}?)(?:につ(?:き|いて)(?:お諮り|採決)|についてで(?:あり|ござい)ますが|の件につ(?:き|いて)お諮り)"
)


@lru_cache(maxsize=2)
def follow_sitting(meeting: Meeting) -> SittingCourse:
    """The course of a sitting, read from its header and from what its chair says.

    The last ones are cached, since facts, debate and evidence of a recap all begin with it.
    """
    floor = Floor(meeting.session, _listed_items(meeting))
    spoken = [speech.order for speech in meeting.spoken]
    rulings = tuple(_follow(floor, list_chair_sentences(meeting), spoken))
    only = [at for at, item in enumerate(floor.known) if not _CONDUCT.search(item.title)]
    if not floor.discussed and len(only) == 1 and is_business(floor.known[only[0]].title):
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


def _follow(floor: Floor, sentences: Iterable[ChairSentence], spoken: Sequence[int]) -> Iterator[Ruling]:
    order = -1
    for sentence in sentences:
        text = sentence.text
        if sentence.order != order:
            _discuss(floor, (each for each in spoken if order < each < sentence.order))
            order, floor.manner = sentence.order, ""
        if sentence.is_motion:
            floor.motion = text
            _discuss(floor, (order,))
            continue
        if sentence.is_heading or _LAYS.search(text) or _UNDERTAKES.match(text) or _takes_up(floor, text):
            _lay(floor, sentence)
        if _APPOINTS.search(text) or _POST_LINE.search(text):
            yield from _appointments(sentence)
        elif _is_result(floor, text):
            yield _decide(floor, sentence)
        elif not sentence.is_heading:
            floor.manner = find_manner(text) or floor.manner
            floor.method = find_method(text) or floor.method
            floor.tally += f"\n{text}"
            hear_report(floor, text)
            _hear_question(floor, sentence)
        if not sentence.is_heading:
            _discuss(floor, (order,))
        floor.previous = text
    _discuss(floor, (each for each in spoken if each > order))


def _discuss(floor: Floor, orders: Iterable[int]) -> None:
    """Count speeches among those about the business under discussion."""
    passed = set(orders)
    for item in floor.current if passed else ():
        floor.discussed.setdefault(floor.known.index(item), set()).update(passed)


def _appointments(sentence: ChairSentence) -> Iterator[Ruling]:
    """Who was named to which post; long lists of members are left to the record."""
    for match in (*_ONE_POST.finditer(sentence.text), *_POST_LINE.finditer(sentence.text)):
        names = re.sub(r"[\s　]", "", match["names"])
        subject = f"{match['post']}に{names}"
        yield Ruling(order=sentence.order, text=sentence.text, subject=subject, aspect="指名", method="指名")


def _lay(floor: Floor, sentence: ChairSentence) -> None:
    """Take up what a sentence lays before the house; other business is then no longer under discussion."""
    if sentence.is_heading:
        floor.current, floor.focus = [], []
    titles = [title for title in titles_announced(sentence.text) if not re.search(r"附帯決議|修正案\Z|動議", title)]
    if undertaken := _UNDERTAKES.match(sentence.text) or _takes_up(floor, sentence.text):
        titles = [undertaken["title"] or undertaken["draft"]]
    items = [find_or_add_item(floor, title) for title in titles] or items_by_number(floor, sentence.text)
    if sentence.is_heading and not items:
        items = [find_or_add_item(floor, line) for line in sentence.text.split("\n") if len(bare_title(line)) > 3]
    if items:
        floor.current, floor.focus = items, list(items)
        floor.matter, floor.motion, floor.question = "", "", Question()
        floor.tally, floor.method = "", ""


def _takes_up(floor: Floor, text: str) -> re.Match[str] | None:
    match = _TAKES_UP.match(strip_opener(text))
    return (
        match
        if match and any(each.title == bare_title(match["title"] or match["draft"]) for each in floor.known)
        else None
    )


def _hear_question(floor: Floor, sentence: ChairSentence) -> None:
    """Keep what a sentence adds to the question: that a vote is opened, on what, and that it is put."""
    text = sentence.text
    opens, puts = _OPENS_VOTE.search(text), _PUTS.search(text)
    if match := _MATTER.match(strip_opener(text)):
        floor.matter = match["matter"]
    if "動議" in text and "提出" in text:
        floor.motion = text
    if not opens and not puts:
        return
    if opens or floor.question.is_put:
        floor.question, floor.tally = Question(opening=text if opens else ""), ""
        floor.method = find_method(text)
    question = floor.question
    items, aspect = point_to_items(floor, text)
    if (drafted := _DRAFTED.search(text)) and not aspect:
        items = [find_or_add_item(floor, strip_opener(drafted["title"] or drafted["change"]))]
    question.items, question.aspect = items or question.items, max(aspect, question.aspect, key=len)
    if items and (not aspect or len(items) == 1):
        floor.focus = items
    if puts:
        question.text, question.order, question.is_put, question.before = text, sentence.order, True, floor.previous
        question.subject = asked_before(floor) if _BACKWARD.match(text) else asked_in(text)


def _is_result(floor: Floor, text: str) -> bool:
    if not _SETTLED.search(text) or "委員長の報告は" in text or _PUTS.search(text):
        return False
    return bool(_RESULT.search(text) or floor.manner or find_manner(text))


def _decide(floor: Floor, sentence: ChairSentence) -> Ruling:
    question, text = floor.question, sentence.text
    own, aspect = point_to_items(floor, text)
    aspect = max(aspect, question.aspect, key=len)
    items = own if named_items(floor, text) or not question.items else question.items
    of_its_own = question.is_put and not question.items and question.subject and not POINTS_BACK.match(question.subject)
    if (aspect.endswith("動議") or of_its_own) and not named_items(floor, text):
        items = []
    if not items and len(floor.current) == 1 and not is_business(floor.current[0].title):
        items = floor.current
    subject = subject_of_ruling(floor, text)
    if PREMIER.search(subject) and [bill_kind(each.title) for each in floor.current] == ["personnel"]:
        items = floor.current
    if (
        not items
        and not subject
        and question.is_put
        and [bill_kind(each.title) for each in floor.current] == ["personnel"]
    ):
        items = floor.current
    untold = not (question.is_put or items or subject) and re.search(r"そのように|さよう", text)
    asked = f"{question.text}{floor.matter}{text}"
    vote = read_vote(f"{floor.tally}\n{text}")
    by_form = _FORMAL.search(f"{asked}{floor.motion}" if aspect.endswith("動議") else asked) and vote is None
    is_formal = bool(untold or by_form) and not _names_business(floor, items, asked)
    ruling = Ruling(
        order=sentence.order,
        text=_RESULT_LINE.sub("", text),
        question=question.text or question.opening,
        asked_at=question.order,
        items=() if is_formal else tuple(items),
        subject=subject,
        aspect=aspect,
        manner=floor.manner or find_manner(text),
        method=floor.method or find_method(f"{question.text}{text}"),
        vote=vote,
        is_formal=is_formal,
        before=question.before,
        reported={each.title: floor.reported[each.title] for each in items if each.title in floor.reported},
    )
    if not aspect and not is_formal:
        floor.decided.update(each.title for each in items)
    floor.question, floor.matter, floor.manner, floor.tally, floor.method = Question(), "", "", "", ""
    return ruling


def _names_business(floor: Floor, items: Sequence[AgendaItem], asked: str) -> bool:
    """Whether a bill itself is decided about, or who holds an office, though words of form are there too."""
    if any(is_business(item.title) for item in items) and re.search(r"[可否]決|承認する|成案と", floor.question.text):
        return True
    return bool(_NOT_FORMAL.search(f"{asked}{''.join(item.title for item in floor.current)}"))

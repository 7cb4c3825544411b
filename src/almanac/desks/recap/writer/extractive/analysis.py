"""A meeting analyzed for extraction: what each speech does, its sentences with content, and a score for each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from almanac.desks.recap.model.facts.debate import (
    DebateCourse,
    announces_asking,
    asks_outright,
    is_formality,
    is_question,
    trace_debate,
)
from almanac.desks.recap.model.facts.keywords import categorize, extract_keywords
from almanac.desks.recap.model.facts.record import read_facts
from almanac.desks.recap.model.facts.speakers import list_participants
from almanac.desks.recap.model.facts.speech_text import SpokenSentence, spoken_sentences
from almanac.desks.recap.model.facts.terms import extract_terms
from almanac.desks.recap.model.facts.weights import debated_shares, weight_of_decision
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.recap import GlossaryTerm, Reaction, RecapKeyword, RecapParticipant
from almanac.desks.recap.model.record import AgendaItem, HouseDecision, RecordFacts
from almanac.desks.recap.writer.extractive.plain_language import trim_openers
from almanac.desks.recap.writer.extractive.topics import SpeechTopic, announced_topic, topics_by_line
from almanac.kit.lazy import lazy_regex

LONGEST_LINE = 260
LEAST_SCORE = 0.35
# Amounts of money: 円 is yen.
_MONEY = lazy_regex(r"[〇一二三四五六七八九十百千万億兆0-9０-９]円")
_SHARE = lazy_regex(r"[〇一二三四五六七八九十百0-9０-９](?:％|%|割|パーセント|ポイント|倍)|分の[一二三四五六七八九]")
_COUNT = lazy_regex(
    r"[二三四五六七八九十百千万〇0-9０-９]{1,12}(?:人|名|か所|カ所|箇所|件|キロ|か月|年度まで|年間|市町村|世帯|校|台|便|隻|トン|ヘクタール|メートル|自治体|地区)"
)
# Words of plans and decisions: targets, policies, cuts, increases, creation, abolition …
_DECISIVE = lazy_regex(
    r"目標と|することとして|こととして(?:おり|い)|方針(?:です|であり|でござ)|考えており(?:ません|ませ)|対象と(?:なり|し)|引き下げ|引き上げ|創設|設け(?:る|て|ます)|廃止|実施(?:し|する|いた)|開始|撤回|検討して"
    r"|講じ|決定|可決|承認|議決|約束|求めるもの|定めるもの|改めるもの|しようとするもの|べきもの|禁止|義務|見直|短縮|計上|措置を|支給|補助する|反対(?:し|の理由)|賛成(?:し|の理由)|理由は"
)
# References to what was said before: この, その, これ, それ …
_LEANING = lazy_regex(
    r"\A(?:理由は|だとすると|だとすれば|そうすると|ただし|ただ、|しかも|このうち|残り|(?:この|その)(?!法律案|法案|協定|条約|ため|他の)|これ|それ(?!ぞれ)|こう|そう|ああ|同(?!時)|本件|ここ|そこ|あの|あれ|いずれ|以上|次の|続く|両)"
    r"|[こそ]のよう(?:な|に)|[こそ]んな|お手元|\A[^。]{0,18}?(?:(?<!お)[こそ]れ(?:ら)?(?:を|に|は|が|も|、)|(?:こう|そう|ああ)(?:いう|いった|した)|あなた|お説|(?:今|先ほど|さきほど)の(?:御|お|ご|質問|答弁|話)|お尋ねの|[おご御]話(?:が|の)あ|両件|本修正案)"
)
# Phrases without content: “we are aware of it”, “I think it is important”, “I ask the minister”.
_EMPTY = lazy_regex(
    r"御?説明(?:を)?(?:いたし|申し上げ|し)ます。\Z|質疑が行われ|承知をして|承知しており|承知して|御指摘の?(?:点|試算|こと)は|受け止め(?:て|ます)|思っております。\Z|存じます。\Z|重要(?:だと|であると|な課題)|について(?:伺|お伺|聞|お聞|質問|お尋ね)[^。]{0,6}ます。\Z|\A(?:[^、。]{0,8}、)?(?:大臣|総理|政府|局長)(?:の(?:見解|認識|所見|答弁|考え))?[にを][^。、]{0,8}(?:伺|求め|聞)[^。]{0,6}。\Z"
)
# Words of a conversation, which a reader who wasn't there doesn't follow: “he too says”, “was it”, “you know”.
_COLLOQUIAL = lazy_regex(
    r"さんなんか|かしら|かね[。、（]|ですよ|じゃ(?:な|あ|、)|っけ[。、]|何と、?その|ちょっと|先生でした|聞きますが|どうぞお答え|いいかげん|\Aいや、|よね[。、]|っ放し|ですね[、。]|んですね|ちゃ[うっい]|なんです[。けよ]|けど[、も]?[^。]{0,4}、|、まあ、|結構、|そんなの|なんて|なんか|でしょう。|っていう|やつ[をがはも]|わけですが、あなた|もう全く|なんだと|んだと。|といいますか|というか、|いうんです|(?:ます|です|た|る)よ[。ね]|んです。|(?:だ|か)と。\Z|ですから。\Z|発言がありました|(?:ます|ました|ません|でした)ね[。、]|ません?でしょう。"
)
# A sentence without a predicate, often quoted or mocked: 廃止も含めて検討。 まさに言行不一致。
_FRAGMENT = lazy_regex(r"[一-鿿々ァ-ヶー]。\Z")
# Sentences of a speech are polite; one that isn't is quoted, or lacks its subject.
_POLITE = lazy_regex(
    r"(?:ます|です|ません|ました|でした|ましょう|ください|せん|たい|ございました|(?:もの|こと|べき|必要)である)(?:が|か|よ|ね|と)?[。！？?]"
)
# 一　…必要な措置を講ずること。 The numerals of such items stand before them, in poor copies without a gap.
_READ_OUT = lazy_regex(
    r"\A記|（案）|\A[一二三四五六七八九十]{1,3}(?![つ点人年月日万億兆円割、・番期部定般方])[^。]*(?:こと|である|べき)。\Z|(?:講ずる|努める|行う|図る|進める|期する|配慮する)こと。\Z|左記|(?:である|べきである|求められる|されている)。\Z"
)
_ASKS = lazy_regex(r"か[。、]")
_MOST_ABOUT = 1.2
_ABOUT: Mapping[str, float] = {"high": 0.4, "medium": 0.25, "low": 0.12}
_IDEAL = (18, 110)
SHORT_QUESTION = 36
_ENDING = 12


def points_back(text: str) -> bool:
    """Whether a sentence points to what stands before it: この, それ, そのような, お尋ねの …"""
    return bool(_LEANING.search(trim_openers(text)))


@dataclass(frozen=True, slots=True)
class ContentLine:
    """A sentence with content, its score and its topic.

    One that `announces_topic` only says what comes next.
    """

    sentence: SpokenSentence
    score: float
    is_question: bool
    has_figure: bool
    announces_topic: bool = False
    topic: SpeechTopic | None = None

    @property
    def text(self) -> str:
        return self.sentence.text

    @property
    def needs_context(self) -> bool:
        """Whether it can't be understood without the sentence before it."""
        return points_back(self.text)

    @property
    def order(self) -> int:
        return self.sentence.order

    @property
    def asks_outright(self) -> bool:
        """Whether it asks for an answer in so many words."""
        return asks_outright(self.text)

    @property
    def is_read_out(self) -> bool:
        """Whether it is an item of a resolution that is read out."""
        return bool(_READ_OUT.search(self.text))

    @property
    def is_whole(self) -> bool:
        """Whether it is a sentence of its own, with a polite predicate."""
        return bool(_POLITE.search(self.text[-_ENDING:])) and not _FRAGMENT.search(self.text)

    @property
    def is_colloquial(self) -> bool:
        """Whether it is said in the words of a conversation."""
        return bool(_COLLOQUIAL.search(self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingAnalysis:
    """Everything that rules find in one record."""

    meeting: Meeting
    facts: RecordFacts
    course: DebateCourse
    lines: Mapping[int, tuple[ContentLine, ...]]
    keywords: tuple[RecapKeyword, ...]
    terms: tuple[GlossaryTerm, ...]
    categories: tuple[str, ...]
    people: tuple[RecapParticipant, ...]
    debated: Mapping[str, float]

    def weight_of(self, decision: HouseDecision) -> float:
        return weight_of_decision(decision, self.debated)

    def reaction(self, order: int) -> Reaction:
        return self.course.reactions[order]

    def orders_of(self, *reactions: Reaction) -> list[int]:
        return [speech.order for speech in self.meeting.spoken if self.reaction(speech.order) in reactions]

    def best(self, orders: Iterable[int], most: int) -> list[ContentLine]:
        """The highest scoring statements of some speeches, in their order; at least one even if all score low."""
        lines = self.readable([line for order in orders for line in self.statements(order)])
        ranked = sorted(lines, key=lambda line: (-line.score, line.order, line.sentence.index))
        chosen = [line for line in ranked if line.score >= LEAST_SCORE][:most] or ranked[:1]
        return sorted(chosen, key=lambda line: (line.order, line.sentence.index))

    def statements(self, order: int) -> list[ContentLine]:
        """What a speech states, without questions and announcements."""
        return [
            line
            for line in self.lines[order]
            if not (line.is_question or line.announces_topic) and len(line.text) <= LONGEST_LINE
        ]

    def readable(self, lines: Sequence[ContentLine]) -> list[ContentLine]:
        """The lines without those that lack the sentence they need; all of them if none is left."""
        return [line for line in lines if not line.needs_context or self.lead_of(line)] or list(lines)

    def standing(self, lines: Sequence[ContentLine]) -> list[ContentLine]:
        """The lines that can be told one by one: not what lacks its lead, nor asides, nor fragments; or the first."""
        whole = [line for line in self.readable(lines) if line.is_whole and not line.is_colloquial]
        return whole or list(lines[:1])

    def lead_of(self, line: ContentLine) -> ContentLine | None:
        """The sentence before, which a line or a short question needs to be understood.

        None if it has no content or needs one itself.
        """
        if not line.needs_context and not (line.is_question and len(line.text) < SHORT_QUESTION):
            return None
        before = (each for each in self.lines[line.order] if each.sentence.index == line.sentence.index - 1)
        return next((each for each in before if _may_lead(each, line)), None)

    @property
    def business(self) -> tuple[AgendaItem, ...]:
        """The bills on the agenda; all agenda items if there is no bill."""
        dealt = tuple(item for item in self.facts.agenda if item.bill)
        return dealt or self.facts.agenda


def _may_lead(lead: ContentLine, line: ContentLine) -> bool:
    """Whether one line may stand before another that needs it; a question only before what asks for its answer."""
    if lead.announces_topic or lead.needs_context or not (lead.is_question or lead.is_whole):
        return False
    if announces_asking(lead.text) or len(lead.text) + len(line.text) > LONGEST_LINE:
        return False
    return line.asks_outright if lead.is_question else True


@lru_cache(maxsize=4)
def analyze_meeting(meeting: Meeting) -> MeetingAnalysis:
    """Analyze a record. The last few results are cached, since the packs of a meeting are written one by one."""
    facts, people = read_facts(meeting), list_participants(meeting)
    content = {speech.order: _content(speech) for speech in meeting.spoken}
    spoken = [each for sentences in content.values() for each in sentences]
    titles = [item.title for item in facts.agenda if item.bill] or [item.title for item in facts.agenda]
    groups = {person.group for person in people if person.group}
    keywords = extract_keywords(spoken, titles, [*(person.name for person in people), *groups])
    course = trace_debate(meeting)
    texts = {order: [each.text for each in sentences] for order, sentences in content.items()}
    topics = topics_by_line(meeting, course, texts)
    return MeetingAnalysis(
        meeting=meeting,
        facts=facts,
        course=course,
        people=people,
        debated=debated_shares(meeting, facts.agenda),
        keywords=keywords,
        terms=extract_terms(spoken),
        categories=categorize(meeting, titles, "".join(each.text for each in spoken)),
        lines={speech.order: () for speech in meeting.speeches}
        | {
            order: tuple(_line(each, keywords, topic) for each, topic in zip(sentences, topics[order], strict=True))
            for order, sentences in content.items()
        },
    )


def _content(speech: Speech) -> list[SpokenSentence]:
    return [each for each in spoken_sentences(speech) if each.is_ended and not is_formality(each.text, speech.speaker)]


def _line(each: SpokenSentence, keywords: Iterable[RecapKeyword], topic: SpeechTopic | None) -> ContentLine:
    text = each.text
    about = min(_MOST_ABOUT, sum(_ABOUT[word.priority] for word in keywords if word.keyword in text))
    figure = bool(_MONEY.search(text) or _SHARE.search(text) or _COUNT.search(text))
    score = 0.5 + about + (1.0 if figure else 0.0) + (0.5 if _MONEY.search(text) else 0.0)
    score += 0.9 if _DECISIVE.search(text) else 0.0
    score -= (1.2 if _LEANING.search(text) else 0.0) + (1.0 if _EMPTY.search(text) else 0.0)
    score -= 1.5 if _COLLOQUIAL.search(text) else 0.0
    score -= 4.0 if _FRAGMENT.search(text) else 0.0
    score -= _misfit(len(text))
    announces_topic = bool(announced_topic(text)) and not _ASKS.search(text)
    return ContentLine(
        sentence=each,
        score=score,
        is_question=is_question(text),
        has_figure=figure,
        announces_topic=announces_topic,
        topic=topic,
    )


def _misfit(length: int) -> float:
    shortest, longest = _IDEAL
    if length < shortest:
        return (shortest - length) / 10
    return min(3.0, max(0, length - longest) / 60)

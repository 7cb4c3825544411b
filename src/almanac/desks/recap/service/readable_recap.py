"""A recap as the source reader shows it: the sentences of one level, each with the speeches it rests on."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.office_lines import join_offices
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.recap import Dialog, Recap, WrittenSentence
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.model.views import FullArticle
from almanac.desks.recap.urls import WORKSPACE
from almanac.kit.messages import gettext, pgettext
from almanac.reader.model import DocumentPart, ReadableDocument, ReadableSentence, ReadableSource, sentence_key
from almanac.verify import Verdict

KIND = "recap"
_PARTS = (
    DocumentPart("points", pgettext("how much to read", "Key points")),
    DocumentPart("plain", pgettext("how much to read", "Plain words")),
    DocumentPart("detailed", pgettext("how much to read", "In detail")),
    DocumentPart("speeches", pgettext("part of an article", "Speeches in short")),
)
Sentences = Iterator[ReadableSentence]


def build_readable_recap(article: FullArticle, part: str) -> ReadableDocument:
    """The sentences of a level; of the key points if there is no such level."""
    part = part if part in _READERS else _PARTS[0].name
    return ReadableDocument(
        desk="recap",
        id=article.card.id,
        kind=KIND,
        title=article.recap.title,
        path=WORKSPACE.article(article.card.id, part if part != "speeches" else ""),
        sentences=tuple(_READERS[part](_SpeechSources(article), article.recap)),
        language=parliament_of(article.meeting).language,
        part=part,
        parts=_PARTS,
    )


class _SpeechSources:
    """Builds sentences with the speeches of one article."""

    def __init__(self, article: FullArticle) -> None:
        self._id = article.card.id
        self._meeting: Meeting = article.meeting
        self._language = parliament_of(article.meeting).language
        self._judges: Mapping[str, str] = {judged.text: judged.model for judged in article.recap.provenance.judged}
        self.source = cache(self._source)

    def written(self, sentences: Iterable[WrittenSentence], group: str = "") -> Sentences:
        for sentence in sentences:
            yield self.sentence(sentence.text, sentence.based_on_orders, group)

    def sentence(self, text: str, orders: Iterable[int], group: str = "", quote: str = "") -> ReadableSentence:
        sources = tuple(self.source(order, quote) for order in orders)
        return ReadableSentence(
            key=sentence_key(text, sources),
            text=text,
            language=self._language,
            group=group,
            sources=sources,
            verdict=Verdict.SUPPORTED,
            judged_by=self._judges.get(text, ""),
        )

    def _source(self, order: int, quote: str = "") -> ReadableSource:
        speech = self._meeting.by_order.get(order)
        if speech is None:
            title = gettext("Speech %(order)s", order=order)
            return ReadableSource(title=title, text="", is_gone=True, language=self._language)
        text = speech.text.replace("\r\n", "\n")
        at = text.find(quote) if quote else -1
        return ReadableSource(
            title=_title(speech),
            text=text,
            spans=((at, at + len(quote)),) if at >= 0 else None,
            path=WORKSPACE.speech(self._id, order),
            url=speech.url or "",
            language=self._language,
        )


def _title(speech: Speech) -> str:
    who = join_offices((speech.speaker, speech.position, speech.group))
    return f"{speech.order} {who}".strip()


def _points(sources: _SpeechSources, recap: Recap) -> Sentences:
    yield from sources.written(recap.key_points, _PARTS[0].label)
    for decision in recap.facts.decisions:
        text = _decision_text(decision)
        yield sources.sentence(text, (decision.order,), gettext("Decided"), decision.text)


def _decision_text(decision: HouseDecision) -> str:
    return "　".join(filter(None, (decision.subject, decision.manner))) if decision.subject else decision.text


def _plain(sources: _SpeechSources, recap: Recap) -> Sentences:
    yield from sources.written(recap.soft_language_summary)


def _detailed(sources: _SpeechSources, recap: Recap) -> Sentences:
    yield from sources.written(recap.summary, pgettext("parliament", "Summary"))
    for section in recap.middle_summary:
        yield from sources.written(section.sentences, section.title)
    for exchange in recap.exchanges:
        yield from sources.written((exchange.question, *exchange.answers), gettext("Questions and answers"))


def _speeches(sources: _SpeechSources, recap: Recap) -> Sentences:
    for dialog in recap.dialogs:
        group = f"{dialog.order} {dialog.speaker}".strip()
        for text in _dialog_lines(dialog):
            yield sources.sentence(text, (dialog.order,), group)


def _dialog_lines(dialog: Dialog) -> Iterable[str]:
    bullets = [bullet for section in dialog.summary_sections for bullet in section.bullets]
    return bullets or filter(None, (dialog.summary,))


_READERS: Mapping[str, Callable[[_SpeechSources, Recap], Sentences]] = {
    "points": _points,
    "plain": _plain,
    "detailed": _detailed,
    "speeches": _speeches,
}

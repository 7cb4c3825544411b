"""Whatever an exporter adds to a document is in the document's language: every exporter by every language it writes.

The documents here have no Latin word of their own except names and addresses, so that any other one was added.
"""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from html import unescape

import msgspec
import pypdfium2
import pytest
from babel.messages.pofile import read_po

from almanac.desks.news.model.articles import NewsArticle
from almanac.desks.news.service.articles import StoryFilter
from almanac.desks.news.service.feeds import story_feed
from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.html import render_issue_mail
from almanac.desks.newsletter.formats.labels import audience_names, section_title
from almanac.desks.newsletter.formats.publication_builder import build_issue
from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.configuration import AUDIENCES, Configuration
from almanac.desks.newsletter.model.draft import DraftSection, NewsletterDraft
from almanac.desks.newsletter.model.newsletter import DraftStep, FullNewsletter, Newsletter, TopicsStep
from almanac.desks.newsletter.model.outline import DEFAULT_SECTIONS
from almanac.desks.newsletter.model.series import issue_configuration
from almanac.desks.newsletter.service.exports import mark_as_test
from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.items import ArticleCard
from almanac.desks.recap.model.views import ListedArticle
from almanac.desks.recap.service.search import article_feed
from almanac.desks.reminders.model.draft import DebtFacts, InvoiceFact, ReminderTemplate
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.writer.letters import write_from_template
from almanac.desks.reminders.writer.templates import LEVELS, load_shipped_text, make_template_id
from almanac.feeds.model import Feed, FeedItem
from almanac.feeds.writers import FEED_WRITERS
from almanac.kit.catalogs import catalog_files, forms_of
from almanac.kit.locale_formats import format_day
from almanac.language.detection import detect_language

DOCUMENT_LANGUAGES = ("en", "ja", "zh", "ms")
MOMENT = dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC)
DAYS = {"en": "2 March 2026", "ja": "2026年3月2日", "zh": "2026年3月2日", "ms": "2 Mac 2026"}
OTHER_LANGUAGES = ("ja", "zh", "ms")
# Names, and what a format itself says.
NAMES = {"almanac", "inv", "nl", "myr", "acme", "http", "https", "url"}
ENGLISH_FURNITURE = re.compile(
    r"\b(?:in this issue|references?|sources?|contents|page|of|for|from|untitled|introduction|main content|"
    r"updates (?:&|and) news|opportunities|resources|conclusion|researchers?|field staff|farmers?|test|news|latest|"
    r"parliament|what|meeting|due|overdue|days?|first|second|final|invoice|january|february|march|may|june|july|"
    r"august|october|december|mon|monday)\b",
    re.IGNORECASE,
)
LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
ADDRESS = re.compile(r"(?:https?://|urn:)[^\s<>\"）)\]]+|[\w.+-]+@[\w.-]+|NL-\d+-\w+|INV-\d+")


@dataclass(frozen=True)
class Sample:
    """A small document of one language."""

    title: str
    lead: str
    sentence: str
    source: str
    publisher: str


SAMPLES = {
    "ja": Sample(
        "干ばつ週報",
        "雨の少ない週が続いています。",
        "北部の牧草地では雨が平年の半分にとどまり、家畜の値段が下がりました。",
        "北部の雨量の見通し",
        "気候センター",
    ),
    "zh": Sample(
        "干旱周报",
        "降雨偏少的一周。",
        "北部牧区的降雨量只有常年的一半，牲畜价格下跌，牧民开始提前出售山羊。",
        "北部地区降雨展望",
        "区域气候中心",
    ),
    "ms": Sample(
        "Laporan kemarau",
        "Minggu yang kurang hujan.",
        "Hujan di kawasan utara hanya separuh daripada biasa dan harga ternakan telah jatuh kerana kemarau ini.",
        "Tinjauan hujan di kawasan utara",
        "Pusat Iklim Serantau",
    ),
    "en": Sample(
        "Drought weekly",
        "A week with little rain.",
        "Rain in the northern pastures was half of what is usual, and the price of livestock has fallen.",
        "Outlook for rain in the north",
        "Climate Centre",
    ),
}


def own_words(sample: Sample) -> set[str]:
    text = " ".join((sample.title, sample.lead, sample.sentence, sample.source, sample.publisher))
    return set(map(str.lower, LATIN_WORD.findall(text)))


def locale_words(language: str) -> set[str]:
    """Every word of the texts and dates in a language; only a language in Latin script has any."""
    values = [format_day(dt.date(2026, month, 1), language) for month in range(1, 13)]
    for path in catalog_files(language):
        with path.open("rb") as file:
            values += [form for entry in read_po(file) for form in forms_of(entry)]
    return set(map(str.lower, LATIN_WORD.findall(re.sub(r"\{\w+\}|%\(\w+\)s", " ", " ".join(values)))))


def foreign_words(text: str, language: str, *, also: str = "") -> list[str]:
    """Words that are neither the document's own, nor a name, nor a phrase of its language."""
    allowed = NAMES | own_words(SAMPLES[language]) | set(map(str.lower, LATIN_WORD.findall(also)))
    if language == "ms":
        allowed |= locale_words("ms")
    readable = ADDRESS.sub(" ", re.sub("[\u200b\u2060\ufffe\u00ad]", "", text))
    # A line may break inside a word of a PDF.
    readable = re.sub(r"-\r?\n", "", readable)
    return [word for word in LATIN_WORD.findall(readable) if word.lower() not in allowed]


def english_labels(text: str, language: str, *, also: str = "") -> list[str]:
    own = f"{SAMPLES[language]} {also}".lower()
    return [label for label in ENGLISH_FURNITURE.findall(ADDRESS.sub(" ", text)) if label.lower() not in own]


def newsletter(language: str, **configuration: object) -> FullNewsletter:
    """An issue as the desk stores it: default section names, coded audiences, a source without a title."""
    sample = SAMPLES[language]
    settings = {"title": sample.title, "description": sample.lead, "target_audience": tuple(AUDIENCES)}
    chunks = (
        chunk("a", title=sample.source, source=sample.publisher, url="https://a.example/1", date=MOMENT.date()),
        chunk("b", title="", source=""),
    )
    # Long enough, for the PDF to have a list of contents where words are counted by spaces.
    text = f"{sample.sentence} [@a]\n\n{sample.sentence} [@b]\n\n" + f"{sample.sentence}\n\n" * 14
    names = (*DEFAULT_SECTIONS, "")
    sections = tuple(
        DraftSection(id=str(number), key=f"k{number}", name=name, text=f"## {name}\n\n{text}" if name else text)
        for number, name in enumerate(names)
    )
    return FullNewsletter(
        newsletter=Newsletter(
            code="NL-20260302-A1B2",
            owner_id="u",
            configuration=Configuration(**{**settings, **configuration}),
            created_at=MOMENT,
            updated_at=MOMENT,
            completed_at=MOMENT,
        ),
        topics=TopicsStep(chunks=chunks),
        draft=DraftStep(draft=NewsletterDraft(sections=sections)),
    )


def chunk(name: str, **more: object) -> RetrievedChunk:
    return RetrievedChunk(id=name, topic="", score=1.0, content="", **more)


def read_pdf(content: bytes) -> str:
    with closing(pypdfium2.PdfDocument(content)) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


def without_gaps(text: str) -> str:
    """Without the space that a PDF has between figures and East Asian characters."""
    return re.sub(r"(?<=\d) (?=[年月日])|(?<=[年月日]) (?=\d)", "", text)


def read_docx(content: bytes) -> str:
    """All text that Word shows: body, footer and properties."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if re.search(r"document\.xml$|footer\d*\.xml$", name)]
        return "\n".join(_element_texts(archive.read(name).decode(), "w:t") for name in names)


def _element_texts(xml: str, tag: str) -> str:
    return "\n".join(unescape(text) for text in re.findall(rf"<{tag}(?: [^>]*)?>([^<]*)</{tag}>", xml))


def read_html(content: bytes) -> str:
    """What a person sees, with the attributes that browsers and screen readers read out."""
    page = re.sub(r"(?s)<style.*?</style>|<!--.*?-->", " ", content.decode())
    spoken = re.findall(r'(?:title|aria-label|alt|name="description" content)="([^"]*)"', page)
    return unescape(" ".join([re.sub(r"<[^>]+>", " ", page), *spoken]))


NEWSLETTER_READERS: dict[ExportFormat, Callable[[bytes], str]] = {
    ExportFormat.PDF: read_pdf,
    ExportFormat.DOCX: read_docx,
    ExportFormat.HTML: read_html,
    ExportFormat.WEB: read_html,
    ExportFormat.MARKDOWN: bytes.decode,
    ExportFormat.TEXT: bytes.decode,
}


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
@pytest.mark.parametrize("export_format", ExportFormat)
def test_newsletter_exports(export_format, language):
    publication = build_issue(newsletter(language), MOMENT.date())
    assert publication.front.language == language
    text = NEWSLETTER_READERS[export_format](export_issue(publication, export_format).content)
    assert SAMPLES[language].title in text
    assert english_labels(text, language) == []
    assert foreign_words(text, language) == []
    assert without_gaps(text).count(DAYS[language]) == 2


def test_an_english_issue_keeps_its_words():
    publication = build_issue(newsletter("en"), MOMENT.date())
    text = export_issue(publication, ExportFormat.TEXT).content.decode()
    for words in (*DEFAULT_SECTIONS, "Untitled section", "References", "2 March 2026", "For myself, researchers"):
        assert words in text


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_newsletter_mails(language):
    publication = build_issue(newsletter(language), MOMENT.date())
    mail = render_issue_mail(publication)
    text = "\n".join((mark_as_test(mail.subject, language), mail.preheader, mail.text, read_html(mail.html.encode())))
    assert english_labels(text, language) == []
    assert foreign_words(text, language) == []


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_names_that_a_person_gave_to_sections_are_kept(language):
    full = newsletter(language)
    section = DraftSection(id="1", key="k", name="Acme Conclusion", text=SAMPLES[language].sentence * 3)
    full = FullNewsletter(newsletter=full.newsletter, draft=DraftStep(draft=NewsletterDraft(sections=(section,))))
    assert [section.name for section in build_issue(full, MOMENT.date()).sections] == ["Acme Conclusion"]


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "Drought weekly, 2 March 2026"),
        ("ja", "北部の干ばつ（2026年3月2日）"),
        ("zh", "干旱周报（2026年3月2日）"),
        ("ms", "Laporan kemarau, 2 Mac 2026"),
    ],
)
def test_issues_of_a_series_are_dated_in_the_language_of_the_title(language, title):
    series = "北部の干ばつ" if language == "ja" else SAMPLES[language].title
    assert issue_configuration(Configuration(title=series), MOMENT).title == title


def letter_template(level: str, language: str) -> ReminderTemplate:
    """The shipped template, or one of ours in a language that has none."""
    text = load_shipped_text(make_template_id(level, language))
    subject = text.subject if text else "お支払いのお願い：{{overdue_amount}}"
    body = text.body if text else "いつもお世話になっております。\n\n{{invoice_list}}\n\nご確認をお願いいたします。"
    extra = "\n{{reminder_type}} {{due_date}}\n"
    return ReminderTemplate(
        id=make_template_id(level, language), version=1, name="t", subject=subject, body=body + extra
    )


FACTS = DebtFacts(
    currency="MYR",
    total=Decimal("1500.00"),
    invoices=(
        InvoiceFact("INV-001", Decimal("1200.00"), dt.date(2026, 3, 2), 20),
        InvoiceFact("INV-002", Decimal("300.00"), dt.date(2026, 3, 21), 1),
    ),
    fingerprint="f",
)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("language", OTHER_LANGUAGES)
@pytest.mark.parametrize("customer_language", DOCUMENT_LANGUAGES)
def test_reminder_letters(customer_language, language, level):
    """The template decides: a customer whose language has no template gets a letter in one language, not in two."""
    template = letter_template(level, language)
    customer = Customer(id="c", name="Acme", language=customer_language, email="c@acme.example")
    wording = write_from_template(template, customer, FACTS, level=level, sender_name="Acme")
    text = "\n".join((wording.subject, wording.text, read_html((wording.html or "").encode())))
    own = f"{template.subject} {template.body}"
    assert english_labels(re.sub(r"\{\{\w+\}\}", "", text), language, also="" if language != "ms" else own) == []
    assert foreign_words(text, language, also=re.sub(r"\{\{\w+\}\}", "", own)) == []
    assert wording.text.count(DAYS[language]) == 2
    assert "1,500.00 MYR" in text
    assert f'<html lang="{language}">' in (wording.html or "")


@pytest.mark.parametrize("level", LEVELS)
def test_english_letters_to_customers_of_other_languages_are_all_english(level):
    customer = Customer(id="c", name="Acme", language="ja", email="c@acme.example")
    wording = write_from_template(letter_template(level, "en"), customer, FACTS, level=level, sender_name="Acme")
    assert "INV-001: 1,200.00 MYR, due 2 March 2026, 20 days overdue" in wording.text
    assert f"{level} 2 March 2026" in wording.text
    assert wording.text.isascii()


def test_a_template_without_words_follows_the_customer():
    template = ReminderTemplate(id="t", version=1, name="t", subject="{{invoice_id}}", body="{{invoice_list}}")
    customer = Customer(id="c", name="Acme", language="zh-Hans", email="c@acme.example")
    wording = write_from_template(template, customer, FACTS, level="first", sender_name="Acme")
    assert wording.text.startswith("INV-001：1,200.00 MYR，2026年3月2日到期，已逾期 20 天")


def story(language: str, number: int = 1, title: str | None = None) -> NewsArticle:
    sample = SAMPLES[language]
    return NewsArticle(
        id=number,
        url="https://a.example/1",
        domain="a.example",
        source_task=None,
        title=sample.title if title is None else title,
        titles={},
        content=sample.sentence,
        bullets={},
        states={},
        tags=[],
        country=None,
        news_date=None,
        language=language,
        points=(),
        article=sample.sentence,
        cluster=number,
        metadata={},
        discovered_at=MOMENT,
        processed_at=MOMENT,
    )


def shown_texts(feed: Feed, form: str) -> Iterator[str]:
    """What a reader's program shows of a feed."""
    content = FEED_WRITERS[form][0](feed)
    if form == "json":
        members = msgspec.json.decode(content)
        for member in (members, *members["items"]):
            yield from (member.get(name, "") for name in ("title", "description", "summary", "content_text"))
            yield " ".join(member.get("tags", ()))
    else:
        for tag in ("title", "subtitle", "summary", "description", "category", "name"):
            yield _element_texts(content.decode(), tag)


@pytest.mark.parametrize("form", FEED_WRITERS)
@pytest.mark.parametrize("language", OTHER_LANGUAGES)
@pytest.mark.parametrize("filtered", [False, True])
def test_news_feeds(filtered, language, form):
    which = StoryFilter(language=language) if filtered else StoryFilter()
    feed = story_feed([story(language), story(language, 2, "")], which, base="https://almanac.example", form=form)
    text = "\n".join(shown_texts(feed, form))
    assert feed.language == language
    assert SAMPLES[language].sentence in text
    assert english_labels(text, language) == []
    assert foreign_words(text, language) == []


def test_feeds_of_several_languages_are_titled_in_english():
    feed = story_feed([story("ja"), story("zh", 2)], StoryFilter(), base="https://almanac.example", form="rss")
    assert (feed.title, feed.language) == ("News: latest", "")


@pytest.mark.parametrize("form", FEED_WRITERS)
def test_recap_feeds(form):
    sample = SAMPLES["ja"]
    card = ArticleCard(
        id="1",
        title=sample.title,
        date="2026-03-02",
        month=None,
        image_kind=None,
        session=None,
        name_of_house=None,
        name_of_meeting=None,
        categories=[],
        description=sample.sentence,
    )
    feed = article_feed(
        [ListedArticle(card)], ArticleFilter(), base="https://almanac.example", self_link="https://almanac.example/f"
    )
    text = "\n".join(shown_texts(feed, form))
    assert sample.sentence in text
    assert foreign_words(text, "ja") == []


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_entries_without_a_title(language):
    item = FeedItem(id="1", title=" ", link="https://a.example", published=MOMENT, language=language)
    feed = Feed(title="", link="https://a.example", self_link="https://a.example/f", items=(item,), language=language)
    assert feed.heading == item.heading
    assert detect_language(item.heading) != "en"
    assert item.heading != "Untitled"


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_every_audience_and_default_section_has_its_words(language):
    assert all(audience_names((name,), language) != audience_names((name,), "en") for name in AUDIENCES)
    assert all(section_title(name, language) != name for name in DEFAULT_SECTIONS)


@pytest.mark.parametrize("language", DOCUMENT_LANGUAGES)
def test_dates(language):
    assert format_day(MOMENT.date(), language) == DAYS[language]

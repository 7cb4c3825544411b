"""The demo documents: complete, long enough, spread over topics and time, without repetition."""

import re
from collections import Counter
from datetime import date, timedelta
from itertools import chain
from urllib.parse import urlsplit

import pytest

from almanac.desks.newsletter.demo.documents import load_documents, parse_document
from almanac.desks.newsletter.demo.sources import build_feed, group_by_publisher, publisher_slug
from almanac.desks.newsletter.model.topics import TOPIC_TYPES, find_topic_type
from almanac.documents.chunker import word_weight
from almanac.documents.model import ReadRequest
from almanac.documents.reader import read_document

DAY = date(2026, 3, 2)
DOCUMENTS = load_documents()
EVERY_DOCUMENT = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)


def paragraphs(document):
    return document.text(DAY).split("\n\n")


@EVERY_DOCUMENT
def test_a_document_says_who_published_it_where_and_about_what(document):
    assert document.title
    assert document.source
    assert (urlsplit(document.url).hostname or "").endswith(".example")
    assert 1 <= document.age <= 120
    assert document.topics
    assert all(find_topic_type(topic) for topic in document.topics)


@EVERY_DOCUMENT
def test_a_document_is_neither_thin_nor_endless(document):
    assert 150 <= word_weight(document.text(DAY)) <= 400
    assert len(paragraphs(document)) >= 5


@EVERY_DOCUMENT
def test_every_date_is_filled_in(document):
    assert "{" not in document.text(DAY)


def test_there_are_more_than_sixty_of_them():
    assert len(DOCUMENTS) >= 64
    assert len({document.url for document in DOCUMENTS}) == len(DOCUMENTS)
    assert len({document.title for document in DOCUMENTS}) == len(DOCUMENTS)


def test_every_topic_type_has_several():
    about = Counter(chain.from_iterable(document.topics for document in DOCUMENTS))
    assert all(about[topic.key] >= 4 for topic in TOPIC_TYPES), about


def test_most_are_recent_and_some_are_old():
    recent = [document for document in DOCUMENTS if document.age <= 45]
    assert len(recent) > len(DOCUMENTS) * 0.8
    assert any(document.age > 90 for document in DOCUMENTS)


def test_english_documents_hold_words_of_their_topics():
    wrong = [
        (document.name, topic)
        for document in DOCUMENTS
        if document.language == "en"
        for topic in document.topics[:1]
        if not any(word.lower() in document.text(DAY).lower() for word in find_topic_type(topic).words)
    ]
    assert not wrong


def test_no_sentence_is_there_twice():
    sentences = Counter(
        sentence
        for document in DOCUMENTS
        for sentence in re.split(r"(?<=[.。])\s+", document.text(DAY))
        if word_weight(sentence) > 4
    )
    assert [sentence for sentence, times in sentences.items() if times > 1] == []


def test_dates_are_counted_from_the_day_of_loading():
    front = "---\ntitle: T\nsource: S\nurl: U\nage: 3\nlanguage: en\ntopics: events\n---\n\n"
    document = parse_document("x", front + "{date}|{date+2}|{date-31}|{date:ms}|{date:zh}|{date:ja}\n")
    assert document.published(DAY) == DAY - timedelta(days=3)
    assert document.text(DAY).split("|") == [
        "27 February 2026",
        "1 March 2026",
        "27 January 2026",
        "27 Februari 2026",
        "2026年2月27日",
        "2026年2月27日",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("No front matter.", "no front matter"), ("---\ntitle: T\n---\n\nWords.", "has no source")],
)
def test_a_document_that_is_not_written_as_it_should_be_is_refused(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_document("x", text)


def test_a_publisher_becomes_a_feed_that_the_reader_reads_back():
    published = group_by_publisher(DOCUMENTS)["Sahan Research Centre"]
    reading = read_document(build_feed("Sahan Research Centre", published, DAY), ReadRequest(name="demo.json"))
    assert reading.title == "Sahan Research Centre"
    assert [(d.title, d.url, d.published) for d in reading.documents] == [
        (d.title, d.url, d.published(DAY)) for d in published
    ]
    assert {d.language for d in reading.documents} == {"en"}


def test_every_publisher_has_a_site_of_its_own():
    publishers = group_by_publisher(DOCUMENTS)
    sites = {
        source: {publisher_slug(document.url) for document in published} for source, published in publishers.items()
    }
    assert all(len(site) == 1 for site in sites.values())
    assert len(set(chain.from_iterable(sites.values()))) == len(publishers)

"""A model that fails in a generating step: the step reports it, and nothing else changes."""

from dataclasses import replace

import pytest

from almanac.bootstrap import make_worker, open_services
from almanac.desks.newsletter.jobs import DRAFT, OUTLINE
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.errors import AlmanacError, Retryable
from almanac.jobs import RunningJob
from almanac.llm.answer import DroppedSentence
from almanac.llm.fake import ScriptedWriter
from almanac.llm.sources import Cited, Reference
from almanac.llm.steps.outlines import DraftedSection, DraftParagraph, Outline, OutlineItem, OutlineSection

WRONG = {
    "another form": lambda server: server.says({"lines": ["It rained."]}),
    "half an answer": lambda server: server.says('{"sections": [{"na'),
    "a source that nobody gave": lambda server: server.says(
        {
            "sections": [
                {"name": "Introduction", "items": [{"title": "A", "references": ["s99.1"], "description": None}]}
            ],
            "paragraphs": [{"item": 0, "sentences": [{"text": "It rained.", "references": ["s99.1"]}]}],
        }
    ),
    "a refusal": lambda server: server.talks(None, refusal="I won't write about camels."),
    "silence": lambda server: server.hangs(),
}


class Ledger:
    async def progress(self, _done, _total, _doing):
        return


class WriterOfTooMuch:
    """A writer of whose answer a sentence had to be left out."""

    def __init__(self, writer):
        self.writer = writer

    async def write(self, *arguments, **options):
        dropped = DroppedSentence(text="It rained twice.", reason="It repeats another sentence.")
        return replace(await self.writer.write(*arguments, **options), dropped=(dropped,))


@pytest.fixture
async def by_model(settings, clock, model_server):
    """The same installation, where a model writes."""
    asked = replace(settings, llm_model="tiny", llm_base_url=model_server.url, llm_timeout=1)
    async with open_services(asked, clock) as services:
        yield services


@pytest.fixture
async def code(services, editor):
    """A newsletter with outline and draft, and an item of a person's own."""
    code = await editor.begin()
    await editor.choose(code, "livestock", "funding")
    for path in ("retrieve", "outline/generate", "draft/generate"):
        await editor.start(f"{code}/{path}")
        await make_worker(services).drain()
    await editor.send("POST", f"{code}/outline/items", {"section_id": "section-2", "title": "Mine"})
    return code


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
async def test_a_generation_that_fails_leaves_everything_as_it_was(services, by_model, model_server, code, wrong):
    before = await newsletter_store.get_full_newsletter(services.tables, code)
    model_server.reply = wrong(model_server)
    with pytest.raises(AlmanacError) as raised:
        await OUTLINE.run(RunningJob(1, OUTLINE.name, 1, by_model, Ledger()), code=code, run=2)
    after = await newsletter_store.get_full_newsletter(services.tables, code)
    assert after.outline.outline == before.outline.outline
    assert after.draft.draft == before.draft.draft
    assert after.topics.chunks == before.topics.chunks
    assert "camels" not in raised.value.sentence
    expected = "processing" if isinstance(raised.value, Retryable) else "failed"
    assert after.step_state("outline").status == expected


async def test_a_draft_whose_model_is_silent_is_left_as_it_was(services, by_model, model_server, code):
    before = await newsletter_store.get_full_newsletter(services.tables, code)
    model_server.reply = model_server.hangs()
    with pytest.raises(Retryable):
        await DRAFT.run(RunningJob(1, DRAFT.name, 1, by_model, Ledger()), code=code, run=2)
    after = await newsletter_store.get_full_newsletter(services.tables, code)
    assert after.draft.draft == before.draft.draft
    assert after.step_state("draft").status == "processing"


@pytest.mark.parametrize("name", [name for name in WRONG if name != "silence"])
async def test_a_draft_whose_model_answers_wrongly_is_extracted_and_says_why(
    editor, by_model, model_server, code, name
):
    model_server.reply = WRONG[name](model_server)
    await DRAFT.run(RunningJob(1, DRAFT.name, 1, by_model, Ledger()), code=code, run=2)
    sections = [section for section in (await editor.get(f"{code}/draft"))["sections"] if section["text"]]
    assert {section["model"] for section in sections} == {"extractive"}
    assert all(section["fallback"] and "camels" not in section["fallback"] for section in sections)
    assert all(sentence["is_finished"] for section in sections for sentence in section["sentences"])


async def test_what_a_model_writes_beyond_its_limits_is_shown_with_the_reason(services, editor, code):
    chunk = (await newsletter_store.get_full_newsletter(services.tables, code)).topics.chunks[0]
    sentence = Cited(text=chunk.content.split(". ")[0] + ".", references=(Reference(source=chunk.id),))
    script = ScriptedWriter(services.clock, model="openai:gpt-x")
    script.script("draft_section", DraftedSection(paragraphs=(DraftParagraph(item=0, sentences=(sentence,)),)))
    writer = WriterOfTooMuch(script)
    await DRAFT.run(RunningJob(1, DRAFT.name, 1, replace(services, writer=writer), Ledger()), code=code, run=2)
    section = (await editor.get(f"{code}/draft"))["sections"][0]
    assert section["dropped"] == [{"text": "It rained twice.", "reason": "It repeats another sentence."}]


async def test_a_title_that_says_more_than_its_source_never_gets_into_the_outline(services, code):
    chunk = (await newsletter_store.get_full_newsletter(services.tables, code)).topics.chunks[0]
    references = (Reference(source=chunk.id),)
    invented = "Camel prices fell by 77 per cent"
    description = Cited(text=f"{invented}.", references=references)
    item = OutlineItem(title=invented, description=description, topic="", references=references)
    writer = ScriptedWriter(services.clock, model="openai:gpt-x")
    writer.script("outline", Outline(sections=(OutlineSection(name="Main Content", items=(item,)),)))
    by_script = replace(services, writer=writer)
    await OUTLINE.run(RunningJob(1, OUTLINE.name, 1, by_script, Ledger()), code=code, run=2)
    outline = (await newsletter_store.get_full_newsletter(services.tables, code)).outline.outline
    (made,) = [item for item in outline.items if item.sources == (chunk.id,)]
    assert invented not in (made.title, made.description.rstrip("."))
    assert made.title

"""The second judge at the newsletter desk: asked once about a generated draft, and remembered when it is opened."""

from dataclasses import replace

import pytest

from almanac.bootstrap import open_services
from almanac.desks.newsletter.jobs import DRAFT
from almanac.jobs import RunningJob
from almanac.llm.fake import ScriptedWriter
from almanac.llm.sources import Cited, Reference
from almanac.llm.steps.outlines import DraftedSection, DraftParagraph

PLAIN = "The price of beans hardly changed."
DOUBTFUL = "The price of beans hardly changed at all markets nearby."


class Ledger:
    async def progress(self, _done, _total, _doing):
        return


@pytest.fixture
async def judging(settings, clock, model_server):
    """The same installation, where a model judges what the desk writes."""
    asked = replace(
        settings, llm_steps="judge=tiny", llm_judge="newsletter", llm_base_url=model_server.url, llm_timeout=2
    )
    async with open_services(asked, clock) as services:
        yield services


async def test_a_judge_confirms_a_doubt_and_lowers_what_the_rules_let_pass(
    editor, retrieved, judging, clock, model_server
):
    code = await retrieved()
    await editor.send("PUT", f"{code}/outline", {"text": "## News\n- One"}, of=f"{code}/outline")
    chunks = (await editor.get(f"{code}/topics"))["retrieved_content"]
    references = (Reference(source=next(chunk["id"] for chunk in chunks if PLAIN in chunk["content"])),)
    sentences = tuple(Cited(text=text, references=references) for text in (PLAIN, DOUBTFUL))
    writer = ScriptedWriter(clock, model="openai:gpt-x")
    writer.script("draft_section", DraftedSection(paragraphs=(DraftParagraph(item=0, sentences=sentences),)))
    model_server.reply = model_server.says(
        {
            "judgements": [
                {"case": "s1", "verdict": "unstated", "evidence": [], "reason": "No passage says so."},
                {"case": "s2", "verdict": "supported", "evidence": ["s2.1"], "reason": ""},
            ]
        }
    )
    await DRAFT.run(RunningJob(1, DRAFT.name, 1, replace(judging, writer=writer), Ledger()), code=code, run=1)
    draft = await editor.get(f"{code}/draft")
    lowered, confirmed = draft["sections"][0]["sentences"]
    assert (lowered["verdict"], lowered["is_finished"]) == ("unconfirmed", False)
    assert "No passage says so." in lowered["findings"][0]["reason"]
    assert (confirmed["verdict"], confirmed["judged_by"]) == ("supported", "openai:tiny")
    assert draft["summary"] == "2 sentences: 1 judged by openai:tiny, 1 to read."
    assert len(model_server.asked) == 1

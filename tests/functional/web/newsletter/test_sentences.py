"""Single sentences of a draft: who finishes an unconfirmed one, whose own one it is, and what moves or drops it."""

from dataclasses import replace

import pytest

from almanac.accounts.permissions import Role
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter
from almanac.desks.newsletter.jobs import DRAFT
from almanac.desks.newsletter.model import checks
from almanac.jobs import RunningJob
from almanac.llm.fake import ScriptedWriter
from almanac.llm.sources import Cited, Reference
from almanac.llm.steps.outlines import DraftedSection, DraftParagraph

PATH = "/api/v1/newsletters"
PLAIN = "The price of beans hardly changed."
UNCONFIRMED = "The price of beans hardly changed while farmers hoarded them."
CHANGED = "A 90-kilogram bag of maize sold for 7,420 shillings at the Nairobi wholesale market."


@pytest.fixture
async def issue(editor, retrieved):
    """A newsletter with sources and an outline of one section, and the passage about prices."""
    code = await retrieved()
    await editor.send("PUT", f"{code}/outline", {"text": "## News\n- One"}, of=f"{code}/outline")
    chunks = (await editor.get(f"{code}/topics"))["retrieved_content"]
    return code, next(chunk["id"] for chunk in chunks if PLAIN in chunk["content"])


async def write(editor, code, text):
    answer = await editor.send("PUT", f"{code}/draft/sections/news", {"text": text}, of=f"{code}/draft")
    assert answer.status_code == 200, answer.text
    return answer.json()


def sentences(draft):
    return [sentence for section in draft["sections"] for sentence in section["sentences"]]


async def decide(editor, method, code, sentence, verb):
    return await editor.send(method, f"{code}/draft/sentences/{sentence['key']}{verb}")


async def complete(editor, code):
    return await editor.send("POST", f"{code}/complete", of=f"{code}/draft")


async def test_words_that_nothing_carries_are_named_and_block_completion(editor, issue):
    code, chunk = issue
    draft = await write(editor, code, f"{PLAIN} [@{chunk}] {UNCONFIRMED} [@{chunk}]")
    supported, unconfirmed = sentences(draft)
    assert (supported["verdict"], supported["is_finished"]) == ("supported", True)
    assert (unconfirmed["verdict"], unconfirmed["is_finished"]) == ("unconfirmed", False)
    uncovered = {unconfirmed["text"][start:end] for start, end in unconfirmed["uncovered"]}
    assert {"farmers", "hoarded"} <= uncovered
    assert "hoarded" in unconfirmed["findings"][0]["reason"]
    assert "1 sentence to read" in draft["obstacles"][0]["sentence"]
    assert (await complete(editor, code)).status_code == 409
    assert (await editor.http.post(f"{PATH}/{code}/exports/pdf")).status_code == 409


async def test_a_person_finishes_an_unconfirmed_sentence_with_their_name(editor, issue, services):
    code, chunk = issue
    (sentence,) = sentences(await write(editor, code, f"{UNCONFIRMED} [@{chunk}]"))
    confirmed = await decide(editor, "PUT", code, sentence, "/confirmation")
    assert confirmed.status_code == 200, confirmed.text
    (sentence,) = sentences(confirmed.json())
    assert (sentence["verdict"], sentence["is_finished"]) == ("unconfirmed", True)
    name = sentence["confirmed"]["by"]
    assert name
    assert confirmed.json()["summary"] == f"1 sentence: 1 read by {name}."
    (traced,) = (await editor.get(f"{code}/provenance"))["sentences"]
    assert traced["confirmed"] == sentence["confirmed"]
    assert (await complete(editor, code)).status_code == 200
    page = await audit.list_entries(services.database, AuditFilter(object_id=code), key=b"any")
    actions = [entry.action for entry in page.items]
    assert {"reader.started", "reader.finished"} <= set(actions)


async def test_a_confirmation_is_void_once_the_sentence_changes_and_can_be_taken_back(editor, issue):
    code, chunk = issue
    (sentence,) = sentences(await write(editor, code, f"{UNCONFIRMED} [@{chunk}]"))
    await decide(editor, "PUT", code, sentence, "/confirmation")
    (edited,) = sentences(await write(editor, code, f"{UNCONFIRMED.replace('farmers', 'traders')} [@{chunk}]"))
    assert edited["confirmed"] is None
    assert (await complete(editor, code)).status_code == 409
    stale = await decide(editor, "PUT", code, sentence, "/confirmation")
    assert (stale.status_code, "changed since" in stale.json()["detail"]) == (409, True)
    (restored,) = sentences(await write(editor, code, f"{UNCONFIRMED} [@{chunk}]"))
    assert restored["confirmed"]
    assert (await complete(editor, code)).status_code == 200
    taken = await decide(editor, "DELETE", code, restored, "/confirmation")
    assert sentences(taken.json())[0]["confirmed"] is None
    assert (await editor.get(code))["status"] == "draft"
    assert (await decide(editor, "DELETE", code, restored, "/confirmation")).status_code == 404


async def test_nobody_confirms_a_changed_or_unsupported_sentence(editor, issue):
    code, chunk = issue
    text = f"{CHANGED} [@{chunk}] The minister resigned. {PLAIN} [@{chunk}]"
    verdicts = {}
    for sentence in sentences(await write(editor, code, text)):
        refused = await decide(editor, "PUT", code, sentence, "/confirmation")
        verdicts[sentence["verdict"]] = refused.status_code
    assert verdicts == {"changed": 409, "unsupported": 409, "supported": 200}
    assert all(sentence["confirmed"] is None for sentence in sentences(await editor.get(f"{code}/draft")))
    listed = (await editor.get(f"{code}/sentences"))["sentences"]
    assert {each["verdict"]: len(each["checked_by"]) for each in listed} == {
        "changed": 0,
        "unsupported": 0,
        "supported": 1,
    }


async def test_only_those_who_may_write_confirm(editor, editor_of, issue):
    code, chunk = issue
    (sentence,) = sentences(await write(editor, code, f"{UNCONFIRMED} [@{chunk}]"))
    stranger = await editor_of(email="stranger@example.org")
    reader = await editor_of(Role.MEMBER, email="reader@example.org")
    assert (await decide(stranger, "PUT", code, sentence, "/confirmation")).status_code == 404
    assert (await decide(reader, "PUT", code, sentence, "/confirmation")).status_code == 403
    for verb in ("/own", ""):
        method = "PUT" if verb else "DELETE"
        assert (await decide(stranger, method, code, sentence, verb)).status_code == 404


async def test_an_own_sentence_needs_no_source_and_stays_a_revision_of_the_person(editor, issue):
    code, chunk = issue
    first, _ = sentences(await write(editor, code, f"Dear readers, welcome! {PLAIN} [@{chunk}]"))
    assert first["findings"][0]["kind"] == "no_reference"
    marked = (await decide(editor, "PUT", code, first, "/own")).json()
    assert marked["sections"][0]["text"] == f"Dear readers, welcome! [@own] {PLAIN} [@{chunk}]"
    own, _ = sentences(marked)
    assert (own["kind"], own["is_finished"], own["references"]) == ("own", True, [])
    assert marked["summary"] == "2 sentences: 1 whose facts and words the rules found in their source, 1 your own."
    assert (await editor.get(f"{code}/draft/revisions"))[0]["reason"] == "Marked as own in News"
    traced = {
        sentence["kind"]: sentence["rests_on"] for sentence in (await editor.get(f"{code}/provenance"))["sentences"]
    }
    assert traced["own"] == []
    assert (await complete(editor, code)).status_code == 200
    unmarked = (await decide(editor, "DELETE", code, own, "/own")).json()
    assert "own" not in unmarked["sections"][0]["text"]


async def test_an_own_sentence_that_a_source_contradicts_is_a_fault(editor, issue):
    code, chunk = issue
    own = "Did you see that maize prices rose 81 percent at the Nairobi wholesale market?"
    text = f"{own} [@own] {PLAIN} [@{chunk}]"
    own, _ = sentences(await write(editor, code, text))
    assert (own["kind"], own["verdict"]) == ("own", "changed")
    assert (await decide(editor, "PUT", code, own, "/confirmation")).status_code == 409


async def test_a_heading_may_be_the_title_of_its_source_but_must_not_contradict_it(editor, issue):
    code, chunk = issue
    title = "Maize prices rise 18 percent at Nairobi market"
    for heading, verdict in ((title, "supported"), (title.replace("18", "81"), "changed")):
        first, _ = sentences(await write(editor, code, f"### {heading}\n\n{PLAIN} [@{chunk}]"))
        assert (first["kind"], first["verdict"]) == ("heading", verdict)


async def test_a_dropped_sentence_comes_back_with_its_revision(editor, issue):
    code, chunk = issue
    text = f"{PLAIN} [@{chunk}] The minister resigned."
    _, sentence = sentences(await write(editor, code, text))
    dropped = (await decide(editor, "DELETE", code, sentence, "")).json()
    assert dropped["sections"][0]["text"] == f"{PLAIN} [@{chunk}]"
    number = dropped["revision"] - 1
    restored = await editor.send("POST", f"{code}/draft/revisions/{number}/restore", of=f"{code}/draft")
    assert restored.json()["sections"][0]["text"] == text


async def test_a_draft_that_was_checked_is_read_without_checking_again(editor, issue, monkeypatch):
    code, chunk = issue
    before = await write(editor, code, f"Welcome! [@own]\n\n# News\n\n{UNCONFIRMED} [@{chunk}] {CHANGED} [@{chunk}]")

    def refuse(*_arguments):
        raise AssertionError("a sentence was checked on a read")

    monkeypatch.setattr(checks, "check", refuse)
    assert await editor.get(f"{code}/draft") == before
    assert (await editor.get(f"{code}/full"))["draft"] == before
    assert len((await editor.get(f"{code}/provenance"))["sentences"]) == 3


class Ledger:
    async def progress(self, _done, _total, _doing):
        return


async def test_what_a_model_calls_its_own_or_words_freely_is_left_to_a_person(editor, issue, services):
    code, chunk = issue
    references = (Reference(source=chunk),)
    written = (
        Cited(text=f"{PLAIN} [@own]", references=references),
        Cited(text=UNCONFIRMED, references=references),
        Cited(text="Western Grid is bankrupt. [@own]", references=references),
    )
    writer = ScriptedWriter(services.clock, model="openai:gpt-x")
    writer.script("draft_section", DraftedSection(paragraphs=(DraftParagraph(item=0, sentences=written),)))
    by_script = replace(services, writer=writer)
    await DRAFT.run(RunningJob(1, DRAFT.name, 1, by_script, Ledger()), code=code, run=1)
    draft = await editor.get(f"{code}/draft")
    assert "own" not in draft["sections"][0]["text"].replace("known", "")
    verdicts = [sentence["verdict"] for sentence in sentences(draft)]
    assert verdicts[:2] == ["supported", "unconfirmed"]
    assert verdicts[2] != "supported"
    assert (await editor.get(code))["status"] == "draft"


async def test_the_reader_is_for_whom_the_draft_belongs_to(editor, editor_of, issue):
    code, chunk = issue
    await write(editor, code, f"{PLAIN} [@{chunk}]")
    (sentence,) = (await editor.get(f"{code}/sentences"))["sentences"]
    stranger = await editor_of(email="stranger@example.org")
    for method, path in (("GET", ""), ("GET", f"/{sentence['key']}"), ("PUT", f"/{sentence['key']}/verdict")):
        assert (await stranger.send(method, f"{code}/sentences{path}")).status_code == 404
    assert (await stranger.http.get(f"/newsletter/{code}/read")).status_code == 404


async def test_a_verdict_on_a_sentence_that_is_edited_meanwhile_is_refused(editor, issue):
    code, chunk = issue
    await write(editor, code, f"{PLAIN} [@{chunk}] {UNCONFIRMED} [@{chunk}]")
    plain, unconfirmed = (await editor.get(f"{code}/sentences"))["sentences"]
    assert (await editor.send("PUT", f"{code}/sentences/{plain['key']}/verdict")).status_code == 200
    await write(editor, code, f"{PLAIN} [@{chunk}] {UNCONFIRMED.replace('farmers', 'traders')} [@{chunk}]")
    stale = await editor.send("PUT", f"{code}/sentences/{unconfirmed['key']}/verdict")
    assert (stale.status_code, "changed since" in stale.json()["detail"]) == (409, True)
    document = await editor.get(f"{code}/sentences")
    assert (document["checked"], document["total"]) == (1, 2)


async def test_a_withdrawn_verdict_reopens_only_an_issue_that_rested_on_it(editor, issue):
    code, chunk = issue
    await write(editor, code, f"{PLAIN} [@{chunk}] {UNCONFIRMED} [@{chunk}]")
    keys = [sentence["key"] for sentence in (await editor.get(f"{code}/sentences"))["sentences"]]
    for key in keys:
        await editor.send("PUT", f"{code}/sentences/{key}/verdict")
    assert (await complete(editor, code)).status_code == 200
    for key, status in zip(keys, ("completed", "draft"), strict=True):
        assert (await editor.send("DELETE", f"{code}/sentences/{key}/verdict")).status_code == 204
        assert (await editor.get(code))["status"] == status


async def ask(editor, about):
    answer = await editor.http.get("/api/v1/why", params={"about": about})
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


async def test_why_a_sentence_stands_as_it_does_is_traced_to_its_source(editor, issue):
    code, chunk = issue
    draft = await write(editor, code, f"{PLAIN} [@{chunk}] {UNCONFIRMED} [@{chunk}] {CHANGED} [@{chunk}]")
    supported, unconfirmed, changed = sentences(draft)
    [trace] = await ask(editor, f"sentence:{code}/{supported['key']}")
    assert (trace["state"], trace["tone"]) == ("Supported: its source says this.", "done")
    assert PLAIN in trace["steps"][0]["quote"]
    assert trace["actions"][0]["href"] == f"/newsletter/{code}/read?sentence=1"
    [trace] = await ask(editor, f"why {UNCONFIRMED}")
    assert trace["state"].startswith("A person must read it. ")
    assert "hoarded" in trace["state"]
    assert "I checked this" in {action["label"] for action in trace["actions"]}
    [trace] = await ask(editor, f"sentence:{code}/{changed['key']}")
    assert trace["state"].startswith("Changed: its source says something else. ")
    assert not any(action["posts"] for action in trace["actions"])
    await decide(editor, "PUT", code, unconfirmed, "/confirmation")
    [trace] = await ask(editor, f"sentence:{code}/{unconfirmed['key']}")
    assert trace["state"] == "Confirmed by Some Editor, who read it beside its source."
    [trace] = await ask(editor, f"newsletter:{code}")
    assert trace["state"].startswith("Not finished. “News” has 1 sentence without support")


async def test_sentences_of_others_are_answered_like_missing_ones(editor, editor_of, issue):
    code, chunk = issue
    (sentence,) = sentences(await write(editor, code, f"{PLAIN} [@{chunk}]"))
    stranger = await editor_of(email="stranger@example.org", scopes=("read",))
    for about in (f"sentence:{code}/{sentence['key']}", f"newsletter:{code}", f"why {PLAIN}", "sentence:NL-1/none"):
        assert (await stranger.http.get("/api/v1/why", params={"about": about})).status_code == 404, about

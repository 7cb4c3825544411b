"""A newsletter from a terminal: begun, retrieved, outlined, drafted, exported and deleted, with clear refusals."""

import json

import httpx
import pytest

REPORT = """# Drought in the north

Rainfall reached only 43 percent of the average in Marsabit, the climate centre said. The drought has dried 120 of the
310 water pans that herders depend on. The forecast gives a 60 percent chance of low rainfall until May.

Veterinary teams have vaccinated 240,000 camels and goats since January. Herders travelled up to 40 kilometres to reach
the vaccination points. The livestock bureau plans a second round for 150,000 animals in April.
"""


@pytest.fixture(scope="module")
def report(machine):
    (machine.folder / "report.md").write_text(REPORT, "utf-8")
    answer = machine.run("knowledge", "add", "report.md", "--everyone", "--wait")
    assert answer.code == 0, answer.err


def begin(machine, *options):
    answer = machine.run("newsletter", "new", "Drought watch", *options, "--json")
    assert answer.code == 0, answer.err
    return answer.json["code"]


def test_all_four_steps_are_done_one_after_another(machine, report):
    code = begin(machine, "--topic", "livestock", "--topic", "climate_smart", "--audience", "field_staff")
    assert machine.run("newsletter", "retrieve", code).out == "1 of 1 passage found was selected, from 1 source.\n"
    assert "sections" in machine.run("newsletter", "outline", code).out
    assert "to read." in machine.run("newsletter", "draft", code).out
    shown = machine.run("newsletter", "show", code, "--json").json
    assert shown["steps"] == {"retrieval": "completed", "outline": "completed", "draft": "completed"}
    assert shown["status"] == "completed"
    exported = machine.run("newsletter", "export", code, "markdown", "--to", "issue.md")
    assert exported.code == 0, exported.err
    assert "Drought watch" in (machine.folder / "issue.md").read_text("utf-8")
    assert "exported" in machine.run("newsletter", "show", code).out


def test_sentences_are_listed_and_finished_from_a_terminal(machine, report):
    code = begin(machine, "--topic", "livestock")
    for step in ("retrieve", "outline", "draft"):
        assert machine.run("newsletter", step, code).code == 0
    listed = machine.run("newsletter", "sentences", code)
    assert "No sentence waits for a person." in listed.out
    assert "whose facts and words the rules found in their source" in listed.out
    rows = machine.run("newsletter", "sentences", code, "--all", "--json").json
    key = next(row["key"] for row in rows if row["verdict"] == "supported" and row["sentence"].endswith("."))
    assert "Checked by" in machine.run("newsletter", "confirm", code, key).out
    assert "own." in machine.run("newsletter", "own", code, key).out
    after = machine.run("newsletter", "sentences", code, "--all", "--json").json
    own = next(row for row in after if row["key"] not in {each["key"] for each in rows})
    assert "1 your own" in machine.run("newsletter", "sentences", code).out
    assert "editor's own" in machine.run("newsletter", "provenance", code).out
    assert machine.run("newsletter", "own", code, own["key"], "--undo").code == 0
    (waiting,) = machine.run("newsletter", "sentences", code, "--json").json
    assert waiting["reason"] == "This sentence has no source."
    assert machine.run("newsletter", "drop", code, waiting["key"]).code == 0
    assert machine.run("newsletter", "sentences", code, "--json").json == []
    gone = machine.run("newsletter", "drop", code, waiting["key"])
    assert (gone.code, "changed since" in gone.err) == (1, True)


def test_everything_of_a_newsletter_is_one_document(machine):
    code = begin(machine)
    full = json.loads(machine.run("newsletter", "full", code).out)
    assert full["newsletter"]["code"] == code
    assert full["outline"]["outline"]["sections"] == []


def test_newsletters_are_listed_by_person_and_deleted(machine):
    code = begin(machine)
    assert code in machine.run("newsletter", "list").out
    assert code in [newsletter["code"] for newsletter in machine.run("newsletter", "list", "--json").json]
    assert f"Deleted {code}." in machine.run("newsletter", "delete", code).out
    assert machine.run("newsletter", "show", code).code == 1


def test_a_schedule_tells_when_the_next_issue_is_due(machine):
    code = begin(machine, "--schedule", "0 7 * * 1", "--time-zone", "Africa/Nairobi")
    shown = machine.run("newsletter", "runs", code)
    assert "No issue was due yet." in shown.out
    assert "04:00 UTC." in shown.out
    result = machine.run("newsletter", "runs", code, "--json").json
    assert (result["active"], result["runs"]) == (True, [])
    assert result["next_run"].endswith("T04:00:00Z")
    plain = begin(machine)
    assert "No schedule prepares issues" in machine.run("newsletter", "runs", plain).out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["outline"], "Retrieve sources first"),
        (["draft"], "Make an outline first"),
        (["retrieve"], "Choose at least one topic first"),
    ],
)
def test_a_step_that_comes_too_early_is_a_sentence(machine, words, sentence):
    answer = machine.run("newsletter", *words, begin(machine))
    assert answer.code == 1
    assert sentence in answer.err
    assert "Traceback" not in answer.err


def test_a_wrong_word_is_a_sentence(machine):
    answer = machine.run("newsletter", "new", "Title", "--length", "endless")
    assert answer.code == 2
    assert "length_preference: Choose one of quick_read" in answer.err


def events(stream):
    for line in stream.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_progress_is_streamed_while_a_worker_works(machine, report):
    code = begin(machine, "--topic", "livestock")
    token = machine.run("token", "make", "tests", "--scope", "read", "--scope", "write", "--json").json["token"]
    url = f"{machine.started[0].url}/api/v1/newsletters/{code}"
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(headers=headers, timeout=30) as client, client.stream("GET", f"{url}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        result = events(stream)
        assert [next(result)["status"] for _ in range(3)] == ["pending", "pending", "pending"]
        started = httpx.post(f"{url}/retrieve", headers=headers, timeout=30).json()
        mine = []
        while not mine or mine[-1]["status"] not in ("succeeded", "failed"):
            mine.append(next(result))
    assert {event["job_id"] for event in mine} == {started["job_id"]}
    assert mine[-1]["status"] == "succeeded"
    assert "Looking for Livestock" in [event["doing"] for event in mine]

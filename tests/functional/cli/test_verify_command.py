"""`almanac verify` reads a draft and its sources, says what isn't supported, and ends with 1 if anything isn't."""

import json

import pytest

SOURCE = "Paddy output in Kedah rose 4.5 percent to 1,250,300 tonnes."


@pytest.fixture
def folder(bare_machine):
    """A draft that is right, one that isn't, and the sources of both."""
    root = bare_machine.folder
    (root / "sources").mkdir()
    (root / "sources" / "agri.txt").write_text(SOURCE, "utf-8")
    (root / "good.md").write_text("# Harvest\n\nPaddy output in Kedah rose 4.5%. [@agri]\n", "utf-8")
    (root / "empty.md").write_text("\n \n", "utf-8")
    (root / "bad.md").write_text("Paddy output in Kedah rose 5.4%. [@agri] All is well. [@nobody]\n", "utf-8")
    return root


def test_a_supported_draft_is_fine(bare_machine, folder):
    answer = bare_machine.run("verify", "--text", "good.md", "--source", "agri=sources/agri.txt")
    assert answer.code == 0
    assert answer.out.splitlines() == [
        "1 sentence: 1 supported, 0 unconfirmed, 0 changed, 0 unsupported",
        "Only checked for contradictions: 1 heading or own sentence",
    ]


def test_an_own_sentence_needs_no_source_but_must_not_contradict_one(bare_machine, folder):
    (folder / "own.md").write_text("Dear readers, welcome! [@own]\n", "utf-8")
    assert bare_machine.run("verify", "--text", "own.md", "--sources", "sources").code == 0
    (folder / "own.md").write_text("We are glad that paddy output in Kedah rose 5.4%! [@own]\n", "utf-8")
    answer = bare_machine.run("verify", "--text", "own.md", "--sources", "sources")
    assert answer.code == 1
    assert "The source says 4.5 percent, not 5.4%." in answer.out


def test_faults_are_told_with_reasons(bare_machine, folder):
    answer = bare_machine.run("verify", "--text", "bad.md", "--sources", "sources")
    assert answer.code == 1
    assert "changed: Paddy output in Kedah rose 5.4%." in answer.out
    assert "The source says 4.5 percent, not 5.4%." in answer.out
    assert "There is no source called “nobody”." in answer.out


def test_programs_get_json(bare_machine, folder):
    answer = bare_machine.run("verify", "--text", "bad.md", "--sources", "sources", "--json")
    assert answer.code == 1
    assert answer.json["counts"] == {"supported": 0, "unconfirmed": 0, "changed": 1, "unsupported": 1}
    assert answer.json["sentences"][0]["findings"][0]["kind"] == "percentage"


def test_pairs_are_checked_line_by_line(bare_machine, folder):
    lines = [
        {"text": "Paddy output rose 4.5%.", "source": SOURCE, "label": "supported"},
        {"text": "Paddy output rose 4.7%.", "sources": {"a": SOURCE}, "label": "changed"},
        {"text": "Paddy output rose 4.5%.", "sources": {"a": SOURCE}, "references": ["b"]},
    ]
    (folder / "pairs.jsonl").write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    answer = bare_machine.run("verify", "--pairs", "pairs.jsonl", "--json")
    assert answer.code == 1
    assert [line["verdict"] for line in answer.json] == ["supported", "changed", "unsupported"]
    assert [line["label"] for line in answer.json] == ["supported", "changed", None]


def test_a_line_of_pairs_ends_where_json_says(bare_machine, folder):
    pair = {"text": "Paddy output rose 4.5%.", "source": SOURCE + "\u2028All is well.\x85"}
    (folder / "pairs.jsonl").write_text(json.dumps(pair, ensure_ascii=False) + "\n", "utf-8")
    assert bare_machine.run("verify", "--pairs", "pairs.jsonl").code == 0


def test_the_ending_of_a_source_may_be_in_capitals(bare_machine, folder):
    (folder / "sources" / "agri.txt").rename(folder / "sources" / "agri.TXT")
    assert bare_machine.run("verify", "--text", "good.md", "--sources", "sources").code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--text", "good.md"], "Name at least one source"),
        (["--text", "good.md", "--source", "agri"], "id=file"),
        (["--text", "good.md", "--source", "own=good.md"], "another name"),
        (["--text", "nowhere.md", "--sources", "sources"], "can't be read"),
        (["--text", "good.md", "--sources", "nowhere"], "isn't a folder"),
        (["--text", "empty.md", "--sources", "sources"], "empty.md has no sentences"),
        (["--pairs", "good.md"], "isn't a pair"),
        ([], "Give either"),
    ],
)
def test_a_wrong_call_is_one_sentence(bare_machine, folder, arguments, sentence):
    answer = bare_machine.run("verify", *arguments)
    assert answer.code == 2
    assert sentence in answer.err
    assert len(answer.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("pair", "lacking"),
    [
        ({"text": " ", "source": SOURCE}, "text"),
        ({"text": "Paddy output rose 4.5%."}, "source"),
        ({"text": "Paddy output rose 4.5%.", "source": ""}, "source"),
        ({"text": "Paddy output rose 4.5%.", "sources": {}}, "source"),
    ],
)
def test_a_pair_that_lacks_a_part_is_refused_with_its_line(bare_machine, folder, pair, lacking):
    lines = [{"text": "Paddy output rose 4.5%.", "source": SOURCE}, pair]
    (folder / "pairs.jsonl").write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    answer = bare_machine.run("verify", "--pairs", "pairs.jsonl")
    assert answer.code == 2
    assert answer.out == ""
    assert f"Line 2 of pairs.jsonl has no {lacking};" in answer.err
    assert len(answer.err.strip().splitlines()) == 1

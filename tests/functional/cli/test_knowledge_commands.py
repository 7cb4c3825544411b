"""`almanac knowledge` as a person uses it: adding and reading at once, listing, refreshing, removing."""

import pytest

TEXT = "The bridge near the market was mended in March.\n\nIt had been unsafe since the January rains.\n"


@pytest.fixture
def added(machine):
    (machine.folder / "bridge.txt").write_text(TEXT)
    return machine.run("knowledge", "add", "bridge.txt", "--everyone", "--wait", "--json").json[0]


def test_a_file_is_added_and_read_at_once(machine, added):
    assert (added["status"], added["chunks"], added["visibility"]) == ("ready", 1, "everyone")
    listed = machine.run("knowledge", "list")
    assert "bridge" in listed.out
    assert "ready" in listed.out


def test_a_source_is_refreshed_and_removed_by_its_id(machine, added):
    assert "bridge will be read again." in machine.run("knowledge", "refresh", added["id"]).out
    assert "bridge removed." in machine.run("knowledge", "remove", added["id"]).out
    assert added["id"] not in machine.run("knowledge", "list").out
    again = machine.run("knowledge", "remove", added["id"])
    assert (again.code, again.err.strip()) == (1, "error: This source doesn't exist, or it isn't shared with you.")


OPML = '<opml version="2.0"><body><outline type="rss" xmlUrl="ftp://example.org/feed"/></body></opml>'


def test_what_is_refused_of_a_list_is_no_part_of_the_answer_for_programs(machine):
    (machine.folder / "feeds.opml").write_text(OPML)
    answer = machine.run("knowledge", "add", "feeds.opml", "--json")
    assert (answer.code, answer.json) == (0, [])
    assert "ftp://example.org/feed was not added" in answer.err


def test_a_file_beyond_the_limit_is_refused(machine):
    (machine.folder / "large.txt").write_bytes(b"A word. " * 200_000)
    answer = machine.run("knowledge", "add", "large.txt", ALMANAC_KNOWLEDGE_MAX_MB="1")
    assert answer.code == 1
    assert "1 MB" in answer.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such-file.pdf"], "can't be read"),
        (["http://127.0.0.1/"], "leads to this machine"),
        (["bridge.txt", "--for", "nobody@example.org"], "No matching person was found."),
    ],
)
def test_a_wrong_call_is_one_sentence(machine, arguments, words):
    (machine.folder / "bridge.txt").write_text(TEXT)
    answer = machine.run("knowledge", "add", *arguments)
    assert answer.code in (1, 2)
    assert words in answer.err
    assert "Traceback" not in answer.err


def test_a_file_that_cannot_be_read_says_why_and_fails(machine):
    (machine.folder / "scan.pdf").write_bytes(b"%PDF-1.7\nnothing of the kind")
    answer = machine.run("knowledge", "add", "scan.pdf", "--wait")
    assert answer.code == 1
    assert "damaged" in answer.out
    assert "1 source couldn't be read" in answer.err

"""Habits from a terminal: begun, done, explained, compared, taken away and brought back, with clear refusals."""


def test_a_habit_is_kept_from_a_terminal(machine):
    begun = machine.run("habits", "new", "Reading", "--schedule", "daily", "--json")
    assert begun.code == 0, begun.err
    done = machine.run("habits", "done", "reading", "--note", "A chapter", "--json")
    assert (done.json["current_streak"], done.json["awarded"]) == (1, 10)
    assert "Nothing changed" in machine.run("habits", "done", "Reading").out
    assert "-10 points" in machine.run("habits", "undo", "Reading").out
    assert machine.run("habits", "done", "Reading").code == 0
    assert "Done." in machine.run("habits", "explain", "Reading").out
    assert "Undone" in machine.run("habits", "ledger").out
    assert machine.run("habits", "list", "--json").json[0]["points"] == 10
    report = machine.run("habits", "report", "--week", done.json["last_completed"], "--pdf", "week.pdf")
    assert "1 of 1 kept, 10 points" in report.out.replace("\n", " ")
    assert (machine.folder / "week.pdf").read_bytes().startswith(b"%PDF")
    assert machine.run("habits", "export", "habits.json").code == 0
    assert "deleted" in machine.run("habits", "delete", "Reading").out
    assert "1 entry would be imported" in machine.run("habits", "import", "habits.json", "--dry-run").out
    assert machine.run("habits", "import", "habits.json", "--json").json["habits"][0]["entries"] == 1
    assert machine.run("habits", "reconcile").code == 0
    board = machine.run("habits", "leaderboard", "--json").json
    assert [place["points"] for place in board] == [10]


def test_a_wrong_call_is_refused_with_one_sentence(machine):
    for arguments in (
        ("done", "Nothing"),
        ("new", "X", "--schedule", "hourly"),
        ("import", "nowhere.csv"),
        ("leaderboard", "--period", "century"),
        ("list", "--for", "nobody@example.org"),
    ):
        answer = machine.run("habits", *arguments)
        assert answer.code in (1, 2), arguments
        assert answer.err.startswith("error:")
        assert "Traceback" not in answer.err


def test_a_wrong_date_is_told_by_an_example(bare_machine):
    answer = bare_machine.run("recap", "collect", "--from", "soon", "--until", "2026-01-02")
    assert answer.code == 2
    assert "such as 2026-11-18" in " ".join(answer.err.split())
    assert "%Y" not in answer.err

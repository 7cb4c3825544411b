"""`almanac recap` from collecting to exporting, on a machine with records in a folder."""

import json


def test_an_operator_follows_a_parliament_from_a_terminal(bare_machine, sitting):
    machine = bare_machine
    records = machine.folder / "records"
    records.mkdir()
    record = sitting(1)
    (records / "one.json").write_text(json.dumps(record), "utf-8")
    machine.settings["ALMANAC_RECAP_SOURCE"] = records.as_uri()
    days = ("--from", "2026-02-01", "--until", "2026-02-28")
    with machine.database_kept_running():
        collected = machine.run("recap", "collect", *days, "--json")
        assert collected.code == 0, collected.err
        assert (collected.json["new"], collected.json["written"]["completed"]) == (1, 1)
        assert "0 new records, 0 changed, 1 known" in machine.run("recap", "collect", *days).out
        (listed,) = machine.run("recap", "list", "--where", "house=衆議院", "--where", "person=石田健", "--json").json
        assert listed["id"] == record["issueID"]
        (task,) = machine.run("recap", "tasks", "--status", "completed", "--json").json
        assert "will be written again" in machine.run("recap", "remake", task["pk"]).out
        refused = machine.run("recap", "remake", "")
        assert (refused.code, "There is no task with this key" in refused.err) == (1, True), refused.err
        assert machine.run("recap", "work", "--json").json["completed"] == 1
        assert "House of Representatives" in machine.run("recap", "tasks", "--status", "completed").out
        assert len(machine.run("recap", "versions", record["issueID"], "--json").json) == 1
        assert "図書館整備法案" in machine.run("recap", "show", record["issueID"]).out
        assert "みらい会" in machine.run("recap", "people", "青木春子").out
        (hit,) = machine.run("recap", "speeches", "五十館", "--where", "person=石田健", "--json").json
        assert (hit["order"], hit["group"]) == (2, "市民クラブ")
        assert "五十館を整備" in machine.run("recap", "speeches", "五十館").out
        name = record["issueID"]
        assert "is held" in machine.run("recap", "hold", name, "--reason", "Being checked.").out
        assert [entry["reason"] for entry in machine.run("recap", "held", "--json").json] == ["Being checked."]
        assert machine.run("recap", "list", "--json").json == []
        assert "is published" in machine.run("recap", "release", name).out
        assert "Corrected" in machine.run("recap", "correct", name, "--note", "Checked again.").out
        (made,) = machine.run("recap", "corrections", "--json").json
        assert made["note"] == "Checked again."
        assert "taken back" in machine.run("recap", "undo-correction", name, made["correction_id"]).out
        assert machine.run("recap", "correct", name, "--note", "x", "--before", "nowhere").code == 2
        assert "is withdrawn" in machine.run("recap", "withdraw", name, "--reason", "Wrong bill.").out
        assert "Wrong bill." in machine.run("recap", "show", name).err
        assert "is published" in machine.run("recap", "release", name).out
        export_output = machine.run("recap", "export", "all.jsonl")
        assert "1 article written" in export_output.out
        exported = [json.loads(line) for line in (machine.folder / "all.jsonl").read_text("utf-8").splitlines()]
        assert [line["id"] for line in exported] == [record["issueID"]]
        for wrong in (
            ("recap", "list", "--where", "colour=red"),
            ("recap", "list", "--where", "house"),
            ("recap", "speeches", "--where", "keyword=x"),
            ("recap", "tasks", "--status", "lost"),
            ("recap", "retry", task["pk"]),
            ("recap", "show", "nothing"),
            ("recap", "diff", record["issueID"], "2", "1"),
            ("recap", "collect", "--from", "2026-02-02", "--until", "2026-02-01"),
        ):
            refused = machine.run(*wrong)
            assert refused.code in (1, 2), wrong
            assert refused.err.startswith("error: "), refused.err
            assert "Traceback" not in refused.err

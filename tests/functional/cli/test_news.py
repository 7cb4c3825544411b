"""`almanac news` from a terminal."""


def test_tasks_links_and_fates_from_a_terminal(bare_machine, tmp_path):
    run = bare_machine.run
    with bare_machine.database_kept_running():
        made = run("news", "task", "Solar", "--template", "solar in malaysia", "--feed", "http://127.0.0.1:9/feed")
        assert (made.code, "Created the task “Solar”" in made.out) == (0, True), made.err
        assert run("news", "tasks", "--json").json[0]["sources"][0]["kind"] == "feed"
        assert run("news", "task", "X", "--template", "none").code == 2
        assert "leads to this machine" in run("news", "run", "Solar").out
        assert run("news", "runs", "Solar", "--json").json[0]["status"] == "failed"
        assert "1 new link" in run("news", "add", "https://example.invalid/a", "http://example.invalid/a#x").out
        assert "waiting to be read" in run("news", "fate", "example.invalid/a").out
        assert run("news", "stats", "--json").json["pending"] == 1
        opml = tmp_path / "feeds.opml"
        assert run("news", "export", str(opml)).code == 0
        assert "1 feed in the task" in run("news", "import", str(opml), "--task", "Other").out
        assert run("news", "import", "nowhere.opml").code == 2
        assert "No site is blocked." in run("news", "blacklist").out
        assert "0 links reset" in run("news", "upkeep").out
        assert run("news", "delete", "Other").code == 0
        assert run("news", "delete", "Other").code == 1

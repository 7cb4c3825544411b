"""`almanac setup` makes the same choices as the browser, from options or questions, and tells what is open."""

import stat


def test_options_are_kept_and_read_by_the_next_command(idle_machine):
    answer = idle_machine.run(
        "setup", "--organisation", "Museum of Tides", "--time-zone", "Asia/Tokyo", "--desks", "news,habits", "--json"
    )
    assert answer.code == 0, answer.err
    assert answer.json["settings"]["organisation"] == {"value": "Museum of Tides", "set": True, "from": "set-up"}
    assert {answer.json["steps"][step] for step in ("organisation", "time-zone", "desks")} == {"done"}
    listed = {line["variable"]: line for line in idle_machine.run("config", "--json").json}
    assert (listed["ALMANAC_TIME_ZONE"]["value"], listed["ALMANAC_TIME_ZONE"]["source"]) == ("Asia/Tokyo", "set-up")
    path = idle_machine.folder / "data" / "settings.toml"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()


def test_a_secret_comes_by_standard_input_and_is_never_printed(idle_machine):
    answer = idle_machine.run(
        "setup", "--mail-url", "-", "--mail-from", "post@example.org", given="smtp://a:s3cret@mail.example.org\n"
    )
    assert answer.code == 0, answer.err
    assert "s3cret" not in answer.out + answer.err
    assert "Whether mail arrives isn't known yet" in answer.out
    assert idle_machine.run("setup", "--show", "--json").json["steps"]["mail"] == "open"
    assert "s3cret" not in idle_machine.run("config").out
    (idle_machine.folder / "data" / "settings.toml").unlink()


def test_a_wrong_choice_is_one_sentence_and_keeps_nothing(idle_machine):
    answer = idle_machine.run("setup", "--time-zone", "Mars/Olympus")
    assert (answer.code, len(answer.err.strip().splitlines())) == (2, 1)
    assert not (idle_machine.folder / "data" / "settings.toml").exists()


def test_what_the_environment_sets_stays(idle_machine):
    answer = idle_machine.run("setup", "--time-zone", "Asia/Tokyo", ALMANAC_TIME_ZONE="UTC")
    assert answer.code == 1
    assert "ALMANAC_TIME_ZONE is set in the environment, which wins" in answer.err


def test_no_desk_at_all_is_refused(idle_machine):
    for nothing in ("", " , "):
        answer = idle_machine.run("setup", "--desks", nothing)
        assert answer.code == 2
        assert "Choose at least one desk" in answer.err
    assert not (idle_machine.folder / "data" / "settings.toml").exists()

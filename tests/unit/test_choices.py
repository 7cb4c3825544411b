"""What was chosen in set-up is kept privately, loses to the environment and almanac.toml, and is never half kept."""

import stat
from dataclasses import replace

import pytest

from almanac.config import Settings, describe_settings, list_choices, load_settings, save_choices
from almanac.errors import Conflict, SettingError

SMTP = "smtp://ada:s3cret@mail.example.org:587"


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ALMANAC_DATA", "ALMANAC_MAIL_URL", "ALMANAC_TIME_ZONE"):
        monkeypatch.delenv(name, raising=False)
    return replace(Settings(), data=tmp_path / "data")


def test_choices_are_read_by_the_next_start(settings):
    save_choices(settings, {"organisation": 'Müller & Söhne "GmbH"', "time_zone": "Asia/Tokyo"})
    save_choices(settings, {"time_zone": "Africa/Nairobi"})
    again = load_settings({}, settings.data.parent)
    assert (again.organisation, again.time_zone) == ('Müller & Söhne "GmbH"', "Africa/Nairobi")


def test_the_environment_and_the_file_win(settings):
    save_choices(settings, {"organisation": "Chosen", "time_zone": "Asia/Tokyo"})
    (settings.data.parent / "almanac.toml").write_text('organisation = "Written"\n')
    again = load_settings({"ALMANAC_TIME_ZONE": "UTC"}, settings.data.parent)
    assert (again.organisation, again.time_zone) == ("Written", "UTC")


def test_each_value_tells_that_it_was_chosen_in_set_up(settings):
    save_choices(settings, {"mail_url": SMTP})
    lines = {line.variable: line for line in describe_settings({}, settings.data.parent)}
    assert (lines["ALMANAC_MAIL_URL"].source, lines["ALMANAC_MAIL_URL"].value) == ("set-up", "set, not shown")


def test_the_file_is_private_and_a_secret_is_only_there(settings):
    save_choices(settings, {"mail_url": SMTP})
    path = settings.data / "settings.toml"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "s3cret" in path.read_text()
    assert "s3cret" not in repr(list_choices(settings))
    assert [entry.name for entry in settings.data.iterdir()] == ["settings.toml"], "no draft is left"


@pytest.mark.parametrize(
    "wrong", [{"time_zone": "Mars/Olympus"}, {"base_url": "nowhere"}, {"organisation": "two\nlines"}]
)
def test_a_wrong_choice_keeps_nothing(settings, wrong):
    save_choices(settings, {"organisation": "Right"})
    with pytest.raises(SettingError):
        save_choices(settings, {"mail_url": SMTP, **wrong})
    assert load_settings({}, settings.data.parent).organisation == "Right"
    assert load_settings({}, settings.data.parent).mail_url is None


def test_what_the_environment_fixes_can_t_be_chosen(settings, monkeypatch):
    monkeypatch.setenv("ALMANAC_TIME_ZONE", "UTC")
    with pytest.raises(Conflict, match="ALMANAC_TIME_ZONE is set in the environment"):
        save_choices(settings, {"time_zone": "Asia/Tokyo"})
    assert list_choices(settings)["time_zone"].fixed


def test_a_choice_is_forgotten(settings):
    save_choices(settings, {"organisation": "Once"})
    assert save_choices(settings, {"organisation": None}).organisation is None

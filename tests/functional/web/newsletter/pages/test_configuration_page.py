"""Step 1 as a page: plain and self-saving forms, invalid fields, schedules, concurrent edits."""

import re

import pytest

FIELDS = {
    "title": "Horn of Africa weekly",
    "target_audience": ["farmers", "field_staff"],
    "tone_preset": "friendly_summary",
    "tone_professional": "90",
    "tone_technical": "90",
    "format_type": "email",
    "length_preference": "quick_read",
    "frequency": "weekly",
    "geographic_focus": "Kenya",
    "source_kinds": ["knowledge", "recap"],
}


@pytest.fixture
async def desk(begin):
    return await begin()


async def test_a_form_is_saved_and_described(desk):
    answer = await desk.send("configuration", FIELDS, page="configuration")
    assert "Configuration saved." in answer.text
    assert "400 to 600 words for farmers and field staff about Kenya, friendly and plain" in answer.text


async def test_saving_in_place_answers_with_what_follows_from_it(desk):
    version = await desk.version("configuration")
    answer = await desk.send_in_place("configuration", {**FIELDS, "version": version})
    assert answer.status_code == 200
    assert f'name="version" value="{int(version) + 1}"' in answer.text
    assert "for farmers and field staff" in answer.text
    assert "<html" not in answer.text


async def test_going_on_saves_too(desk):
    answer = await desk.send("configuration", {**FIELDS, "then": "topics"}, page="configuration")
    assert answer.url.path == f"{desk.base}/topics"


async def test_wrong_fields_are_told_beside_them_and_nothing_is_lost(desk):
    wrong = {**FIELDS, "title": "", "target_audience": [], "geographic_focus": "Somalia"}
    answer = await desk.send("configuration", wrong, page="configuration")
    assert answer.status_code == 422
    assert "Enter a title." in answer.text
    assert "Choose at least one audience." in answer.text
    assert "Somalia" in answer.text
    assert "Horn of Africa weekly" in await desk.see("configuration")


async def test_days_and_a_time_make_a_schedule(desk):
    own = {"frequency": "custom", "weekdays": ["2", "4"], "clock": "06:30", "time_zone": "Africa/Nairobi"}
    answer = await desk.send("configuration", {**FIELDS, **own}, page="configuration")
    assert "Times in Africa/Nairobi" in answer.text
    assert answer.text.count(", 06:30</li>") == 3
    assert all(day not in answer.text.split("Next three issues")[1] for day in ("Monday, ", "Sunday, "))


async def test_days_of_the_month_and_cron_lines_come_back_as_they_were(desk):
    days = {"frequency": "custom", "monthdays": "1, 15", "clock": "07:00", "time_zone": "UTC"}
    answer = await desk.send("configuration", {**FIELDS, **days}, page="configuration")
    assert 'value="1,15"' in answer.text
    line = {"frequency": "custom", "rule": "0 7 * * 1#1", "time_zone": "UTC"}
    answer = await desk.send("configuration", {**FIELDS, **line}, page="configuration")
    assert 'value="0 7 * * 1#1"' in answer.text


async def test_a_cron_line_that_means_nothing_is_refused(desk):
    line = {"frequency": "custom", "rule": "every morning", "time_zone": "UTC"}
    answer = await desk.send("configuration", {**FIELDS, **line}, page="configuration")
    assert answer.status_code == 422
    assert "isn&#39;t a cron line" in answer.text


async def test_a_length_of_another_program_is_shown_and_another_may_be_chosen(desk):
    await desk.send("configuration", {**FIELDS, "length_preference": "mixed"}, page="configuration")
    page = await desk.see("configuration")
    lengths = re.findall(r'<input type="(\w+)" name="length_preference" value="(\w+)"( checked)?', page)
    assert {kind for kind, _, _ in lengths} == {"radio"}
    assert [value for _, value, checked in lengths if checked] == ["mixed"]
    assert "used as standard" in page


async def test_a_second_person_sees_both_versions(desk):
    version = await desk.version("configuration")
    await desk.send("configuration", {**FIELDS, "title": "The first title"}, page="configuration")
    answer = await desk.send("configuration", {**FIELDS, "title": "The second title", "version": version})
    assert answer.status_code == 412
    assert "Someone else saved a different version" in answer.text
    assert "The first title" in answer.text
    assert "The second title" in answer.text
    assert "The first title" in await desk.see("configuration")


async def test_a_form_without_its_version_is_refused(desk):
    assert (await desk.send("configuration", FIELDS)).status_code == 400


async def test_issues_that_prepare_themselves_are_asked_for_by_a_tick(desk):
    answer = await desk.send("configuration", {**FIELDS, "active": "yes", "time_zone": "UTC"}, page="configuration")
    assert 'id="field-active" aria-describedby="help-active" checked' in answer.text
    answer = await desk.send("configuration", {**FIELDS, "time_zone": "UTC"}, page="configuration")
    assert 'id="field-active" aria-describedby="help-active" checked' not in answer.text

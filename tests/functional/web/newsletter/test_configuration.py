"""Step 1 through the API: create, read, edit, list, duplicate and delete."""

import pytest

from almanac.accounts.permissions import Role

PATH = "/api/v1/newsletters"
# What must be sent so that a request makes sense and only its newsletter is in question.
BODIES = {
    ("put", f"{PATH}/{{code}}/topics"): {"selected_types": ["livestock"]},
    ("put", f"{PATH}/{{code}}/outline"): {"text": "## News"},
    ("post", f"{PATH}/{{code}}/outline/items"): {"section_id": "x", "title": "x"},
    ("post", f"{PATH}/{{code}}/outline/sections"): {"name": "x"},
    ("put", f"{PATH}/{{code}}/draft/sections/{{section_id}}"): {"text": "x"},
    ("post", f"{PATH}/{{code}}/draft/sections/{{section_id}}/proposal"): {"accepted": True},
}


async def test_a_newsletter_begins_with_a_title_alone(editor):
    answer = await editor.http.post(PATH, json={"title": "  Weekly   Digest "})
    body = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{PATH}/{body['code']}"
    assert (body["title"], body["status"], body["current_step"]) == ("Weekly Digest", "draft", 1)
    assert body["code"].startswith("NL-20260302-")
    assert body["target_audience"] == ["myself"]


async def test_a_person_has_any_number_of_newsletters(editor):
    codes = [await editor.begin(title=f"Issue {number}") for number in range(7)]
    assert len(set(codes)) == 7


async def test_a_list_is_read_page_by_page_with_the_latest_first(editor, clock):
    codes = []
    for number in range(5):
        codes.append(await editor.begin(title=f"Issue {number}"))
        clock.advance(minutes=1)
    first = (await editor.http.get(PATH, params={"limit": 3})).json()
    rest = (await editor.http.get(PATH, params={"limit": 3, "cursor": first["next_cursor"]})).json()
    assert [newsletter["code"] for newsletter in first["items"] + rest["items"]] == codes[::-1]
    assert rest["next_cursor"] is None


async def test_a_cursor_of_another_list_is_refused_with_a_sentence(editor):
    answer = await editor.http.get(PATH, params={"cursor": "made-up"})
    assert answer.status_code == 400
    assert "start again" in answer.json()["detail"]


async def test_nobody_sees_the_newsletters_of_others(editor, editor_of):
    code = await editor.begin()
    other = await editor_of(email="other@example.org")
    sender = await editor_of(Role.APPROVER, email="sender@example.org", scopes=["send"])
    assert (await other.http.get(PATH)).json()["items"] == []
    paths = (await editor.http.get("/api/openapi.json")).json()["paths"]
    routes = [(method, path) for path in paths if "{code}" in path and path.startswith(PATH) for method in paths[path]]
    assert len(routes) > 30
    for method, path in routes:
        there = path.format(
            code=code, section_id="x", item_id="x", number=1, format="pdf", step="outline", key="0" * 24
        )
        answer = await (sender if path.endswith("/archive") else other).http.request(
            method, there, json=BODIES.get((method, path), {}), headers={"If-Match": '"1"'}
        )
        assert answer.status_code == 404, (method, path, answer.text)
        assert "There is no newsletter" in answer.json()["detail"], path
    assert (await editor.get(code))["version"] == 1


async def test_an_administrator_opens_everybodys(editor, api):
    code = await editor.begin()
    assert (await api.get(f"{PATH}/{code}")).status_code == 200


async def test_a_member_reads_and_does_not_write(editor_of):
    member = await editor_of(Role.MEMBER)
    assert (await member.http.get(PATH)).status_code == 200
    assert (await member.http.post(PATH, json={"title": "No"})).status_code == 403


@pytest.mark.parametrize("code", ["NL-20260101-ZZZZ", "nonsense", "NL-20260101-zzzz", "PROP-20260101-AAAA"])
async def test_a_code_that_nobody_has_is_not_found(editor, code):
    answer = await editor.http.get(f"{PATH}/{code}")
    assert answer.status_code == 404
    assert "There is no newsletter" in answer.json()["detail"]


async def test_everything_of_the_configuration_can_be_edited(editor):
    code = await editor.begin()
    wish = {
        "title": "Monthly Brief",
        "description": "For partners",
        "target_audience": ["researchers", "policy_makers"],
        "tone_professional": 70,
        "tone_technical": 50,
        "format_type": "pdf",
        "length_preference": "deep_dive",
        "frequency": "monthly",
        "geographic_focus": "East Africa - IGAD Region",
    }
    answer = await editor.send("PATCH", code, wish, of=code)
    assert answer.status_code == 200
    assert wish.items() <= answer.json().items()
    assert wish.items() <= (await editor.get(code)).items()
    assert answer.json()["tone_preset"] == "industry_insight"


async def test_a_preset_sets_both_tones(editor):
    body = (await editor.http.post(PATH, json={"title": "A", "tone_preset": "friendly_summary"})).json()
    assert (body["tone_professional"], body["tone_technical"]) == (30, 15)


async def test_wrong_fields_are_told_together_each_with_a_sentence(editor):
    code = await editor.begin()
    wish = {
        "title": "x" * 201,
        "target_audience": [],
        "tone_technical": 101,
        "format_type": "fax",
        "length_preference": "endless",
        "frequency": "hourly",
        "geographic_focus": "y" * 201,
    }
    answer = await editor.send("PATCH", code, wish, of=code)
    assert answer.status_code == 422
    assert answer.json()["fields"].keys() == wish.keys()
    assert answer.json()["fields"]["target_audience"] == "Choose at least one audience."
    assert answer.json()["fields"]["title"] == "Shorten it to 200 characters; it has 201."


async def test_an_unknown_member_is_refused(editor):
    answer = await editor.http.post(PATH, json={"title": "A", "titel": "B"})
    assert answer.status_code == 422


async def test_two_tabs_do_not_overwrite_each_other(editor):
    code = await editor.begin()
    read = (await editor.http.get(f"{PATH}/{code}")).headers["etag"]
    first = await editor.send("PATCH", code, {"title": "First"}, version=read)
    second = await editor.send("PATCH", code, {"title": "Second"}, version=read)
    assert (first.status_code, second.status_code) == (200, 412)
    assert second.headers["etag"] == first.headers["etag"]
    assert second.json()["current"] == str(first.json()["version"])
    assert (await editor.get(code))["title"] == "First"
    assert (await editor.send("PATCH", code, {"title": "Third"})).status_code == 428


async def test_a_repeated_request_begins_one_newsletter(editor):
    headers = {"Idempotency-Key": "one-and-the-same"}
    answers = [await editor.http.post(PATH, json={"title": "Once"}, headers=headers) for _ in range(3)]
    assert len({answer.json()["code"] for answer in answers}) == 1
    assert len((await editor.http.get(PATH)).json()["items"]) == 1


async def test_a_custom_frequency_needs_a_schedule_and_previews_its_runs(editor):
    code = await editor.begin()
    refused = await editor.send("PATCH", code, {"frequency": "custom"}, of=code)
    assert refused.json()["fields"] == {
        "schedule": "A custom frequency needs a schedule: enter a rule and a time zone."
    }
    wrong = {"frequency": "custom", "schedule": {"rule": "every day", "time_zone": "Africa/Nairobi"}}
    assert "isn't a cron line" in (await editor.send("PATCH", code, wrong, of=code)).json()["fields"]["schedule"]
    wish = {"frequency": "custom", "schedule": {"rule": "30 6 * * 2,5", "time_zone": "Africa/Nairobi"}}
    body = (await editor.send("PATCH", code, wish, of=code)).json()
    assert body["next_runs"] == ["2026-03-03T03:30:00Z", "2026-03-06T03:30:00Z", "2026-03-10T03:30:00Z"]


async def test_the_sentence_says_what_will_be_written(editor):
    body = await editor.get(await editor.begin(target_audience=["researchers"], geographic_focus="Somalia"))
    assert body["sentence"] == (
        "Weekly: an e-mail of 1,000 to 1,500 words for researchers about Somalia, balanced in tone, written from up to "
        "25 sources of the last 14 days."
    )


async def test_a_copy_begins_with_the_same_configuration_and_topics(editor):
    code = await editor.begin(length_preference="mixed", frequency="monthly")
    await editor.choose(code, "livestock", "Camel milk")
    copy = (await editor.http.post(f"{PATH}/{code}/duplicate", json={})).json()
    assert (copy["title"], copy["made_from"]) == ("Weekly Research Digest (copy)", code)
    assert (copy["length_preference"], copy["frequency"]) == ("mixed", "monthly")
    assert (await editor.get(f"{copy['code']}/topics"))["selected_types"] == ["Livestock", "Camel milk"]


async def test_a_deleted_newsletter_is_gone_with_its_files(editor, services):
    code = await editor.begin()
    await services.objects.put(f"newsletters/{code}/export.pdf", b"%PDF")
    await editor.choose(code, "funding")
    assert (await editor.send("DELETE", code)).status_code == 204
    assert (await editor.http.get(f"{PATH}/{code}")).status_code == 404
    assert [listed async for listed in services.objects.iterate("newsletters/")] == []
    assert (await editor.send("DELETE", code)).status_code == 404


async def test_all_options_are_listed(editor):
    options = await editor.get("options")
    assert len(options["topic_types"]) == 12
    assert options["lengths"]["deep_dive"] == [2500, 3500]
    assert set(options["tone_presets"]) == {"expert_analysis", "industry_insight", "friendly_summary"}

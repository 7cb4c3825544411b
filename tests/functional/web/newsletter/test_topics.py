"""Step 2 through the API: topics by key, name or custom words, and what an edit keeps."""

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.errors import FieldErrors

PATH = "/api/v1/newsletters"


async def test_topics_are_stored_under_their_display_names(editor):
    code = await editor.begin()
    chosen = await editor.choose(code, "breaking_news", "Climate-Smart Agriculture", "climate_smart", " Camel  milk ")
    assert chosen["selected_types"] == ["Breaking News & Updates", "Climate-Smart Agriculture", "Camel milk"]


async def test_topics_are_recommended_by_audience(editor):
    code = await editor.begin(target_audience=["farmers", "field_staff"])
    assert (await editor.get(f"{code}/topics"))["recommended_types"][:2] == ["Climate-Smart Agriculture", "Livestock"]


async def test_a_topic_without_a_name_is_refused(editor):
    code = await editor.begin()
    answer = await editor.send("PUT", f"{code}/topics", {"selected_types": ["  "]}, version=0)
    assert answer.json()["fields"] == {"selected_types": "A topic has 1 to 80 characters."}


async def test_a_newsletter_is_not_begun_with_a_topic_that_is_refused(services):
    edit = ConfigurationEdit(title="Digest")
    with pytest.raises(FieldErrors):
        await newsletter_service.create_newsletter(services, CONSOLE, edit, topics=["Livestock", "x" * 81])
    assert (await newsletter_service.list_own_newsletters(services, CONSOLE)).items == []
    made = await newsletter_service.create_newsletter(services, CONSOLE, edit, topics=["livestock"])
    assert (await open_newsletter(services, CONSOLE, made.code)).topics.selected == ("Livestock",)


async def test_two_tabs_choose_topics_one_after_the_other(editor):
    code = await editor.begin()
    first = await editor.send("PUT", f"{code}/topics", {"selected_types": ["funding"]}, version=0)
    second = await editor.send("PUT", f"{code}/topics", {"selected_types": ["events"]}, version=0)
    assert (first.status_code, second.status_code) == (200, 412)
    assert second.headers["etag"] == first.headers["etag"]


async def test_a_retrieval_needs_a_topic(editor):
    code = await editor.begin()
    answer = await editor.http.post(f"{PATH}/{code}/retrieve")
    assert answer.status_code == 409
    assert "Choose at least one topic" in answer.json()["detail"]


async def test_a_chunk_that_was_not_retrieved_can_not_be_excluded(editor):
    code = await editor.begin()
    answer = await editor.send("PATCH", f"{code}/topics/chunks", {"excluded": ["nothing"]}, version=0)
    assert "There is no retrieved chunk nothing" in answer.json()["fields"]["chunks"]

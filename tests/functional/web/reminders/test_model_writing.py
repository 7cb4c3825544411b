"""The model writes a draft in a job: the page stays usable, and nobody's text is lost."""

import re

import pytest

from almanac.accounts.model import CONSOLE
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service, store
from almanac.desks.reminders.pipeline.model_letters import DRAFT_CHANGED, ModelWriting, insert_writing
from almanac.errors import NotFound


@pytest.fixture
def begun(admin, drafted):
    """A draft for which the model was asked, and the page that tells how far it is."""

    async def begin():
        draft = await drafted()
        page = await admin.post(f"/reminders/drafts/{draft.id}/writing")
        assert page.status_code == 200, page.text
        return draft, page

    return begin


async def finished(services, admin, page):
    await make_worker(services).drain()
    return await admin.get(page.url.path, params=dict(page.url.params))


async def test_the_draft_can_be_read_while_the_model_writes(admin, services, begun):
    draft, page = await begun()
    assert "The model writes" in page.text
    assert "data-running" in page.text
    assert draft.wording.subject in page.text
    assert f'data-live="{page.url.path}/live"' in page.text
    done = await finished(services, admin, page)
    assert "The model's text is in the draft" in done.text
    assert "data-running" not in done.text


async def test_a_persons_edit_meanwhile_stays_and_the_models_words_are_kept_beside_it(admin, services, begun):
    draft, page = await begun()
    mine = draft.wording.text.replace("Thank you", "Many thanks")
    await service.edit_draft(services, CONSOLE, draft.id, subject="My own subject", text=mine)
    done = await finished(services, admin, page)
    assert "text isn't in the draft" in done.text
    assert DRAFT_CHANGED in done.text
    assert draft.wording.subject in done.text
    assert (await store.get_draft(services.tables, draft.id)).wording.subject == "My own subject"
    use = re.search(r'action="([^"]+/use)"', done.text)[1]
    assert "text is in the draft" in (await admin.post(use)).text
    assert (await store.get_draft(services.tables, draft.id)).wording.text == draft.wording.text


async def test_the_model_can_be_stopped_and_the_draft_is_as_it_was(admin, services, begun):
    draft, page = await begun()
    stop = re.search(r'action="([^"]+/stop/\d+)"', page.text)[1]
    assert "The model was stopped" in (await admin.post(stop)).text
    await make_worker(services).drain()
    assert await store.get_draft(services.tables, draft.id) == draft
    with pytest.raises(NotFound):
        await service.get_model_writing(services, CONSOLE, draft.id, page.url.path.rpartition("/")[2])
    assert (await admin.post(re.sub(r"\d+$", "999999", stop))).status_code == 404


async def test_an_attempt_that_could_not_say_that_it_was_done_is_not_an_edit(services, drafted):
    draft = await drafted()
    again = ModelWriting(draft.id, draft.wording, draft.facts)
    assert await insert_writing(services, CONSOLE, again, draft.version - 1) == ""

"""A request for a model-written draft is answered at once; the text is available when the job has ended."""

import pytest

from almanac.accounts.model import CONSOLE
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service, store
from almanac.desks.reminders.pipeline.model_letters import DRAFT_CHANGED

DRAFTS = "/api/v1/reminders/drafts"


@pytest.fixture
def finished(services):
    return make_worker(services).drain


async def test_a_draft_by_the_model_is_there_at_once_and_its_words_follow(api, services, owing, finished):
    await owing()
    begun = await api.post(DRAFTS, json={"customer_id": "acme", "how": "model", "instruction": "Be brief."})
    assert begun.status_code == 202, begun.text
    started, place = begun.json(), begun.headers["Location"]
    assert place == f"{DRAFTS}/{started['draft_id']}/writings/{started['id']}"
    assert (await services.jobs.job(started["job_id"])).args["instruction"] == "Be brief."
    drafted = await store.get_draft(services.tables, started["draft_id"])
    assert "100.00 EUR" in drafted.wording.text
    assert (await api.get(place)).status_code == 404
    await finished()
    written = (await api.get(place)).json()
    assert (written["draft_id"], written["aside"]) == (drafted.id, "")
    assert "100.00 EUR" in written["email_content"]


async def test_words_that_came_too_late_are_kept_beside_an_edit_until_somebody_uses_them(
    api, services, drafted, finished
):
    draft = await drafted()
    begun = await api.post(f"{DRAFTS}/{draft.id}/redraft", json={"how": "model"})
    assert begun.status_code == 202, begun.text
    await service.edit_draft(services, CONSOLE, draft.id, subject="My own", text=draft.wording.text)
    await finished()
    place = begun.headers["Location"]
    assert (await api.get(place)).json()["aside"] == DRAFT_CHANGED
    assert (await store.get_draft(services.tables, draft.id)).wording.subject == "My own"
    used = await api.post(f"{place}/use")
    assert (used.status_code, used.json()["email_subject"]) == (200, draft.wording.subject), used.text
    assert (await api.get(f"{DRAFTS}/{draft.id}/writings/nothing")).status_code == 404


async def test_from_the_template_a_draft_is_answered_whole(api, drafted):
    draft = await drafted()
    redrafted = await api.post(f"{DRAFTS}/{draft.id}/redraft", json={})
    assert (redrafted.status_code, redrafted.json()["id"]) == (200, draft.id)

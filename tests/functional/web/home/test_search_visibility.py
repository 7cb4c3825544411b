"""Global search by kind: what owners find at once is hidden from everybody else."""

import pytest

from almanac.accounts.permissions import Role
from almanac.desks.newsletter.indexing import NewsletterProvider
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service import topics as topic_service
from almanac.desks.reminders.indexing import CustomerProvider, InvoiceProvider
from almanac.saved import SavedQueryInput


async def kinds(visitor, words):
    return {hit["kind"] for hit in (await visitor.get("/api/v1/search", params={"q": words})).json()["items"]}


async def test_newsletters_and_habits_are_found_by_their_owner_alone(signed_in, person, own_work, services):
    owner = await signed_in(Role.EDITOR)
    await own_work(owner.user, "Zephyr")
    assert await kinds(owner, "zephyr") == {"newsletter", "habit"}
    for role in (Role.MEMBER, Role.ADMIN):
        other = await signed_in(role)
        assert await kinds(other, "zephyr") == set()


async def test_a_newsletter_follows_its_changes_and_goes_with_its_deletion(signed_in, as_principal, own_work, services):
    owner = await signed_in(Role.EDITOR)
    await own_work(owner.user, "Zephyr")
    by = as_principal(owner.user)
    [made] = (await newsletter_service.list_own_newsletters(services, by)).items
    await topic_service.choose_topics(services, by, made.code, ["livestock"], expected=0)
    assert "newsletter" in await kinds(owner, "livestock")
    assert "newsletter" in await kinds(owner, "status:draft zephyr")
    await newsletter_service.delete_newsletter(services, by, made.code)
    assert "newsletter" not in await kinds(owner, "zephyr")


async def test_customers_and_invoices_are_found_by_who_may_read_them(signed_in, api, visit, work):
    member = await signed_in(Role.MEMBER)
    assert await kinds(member, "acme") == set()
    given = await api.put(f"/api/v1/users/{member.user.id}/rights/reminders", json={"actions": ["read"]})
    assert given.status_code == 200
    assert await kinds(member, "acme") == {"customer", "invoice"}
    [invoice] = (await member.get("/api/v1/search", params={"q": '"INV-77"', "kind": "invoice"})).json()["items"]
    assert (await member.get(invoice["path"])).status_code == 200
    wish = {"name": "narrow", "scopes": ["news:read"], "owner_id": member.user.id}
    secret = (await api.post("/api/v1/tokens", json=wish)).json()["secret"]
    narrow = visit(headers={"Authorization": f"Bearer {secret}"})
    assert await kinds(narrow, "acme") == set()


async def test_jobs_people_and_mail_are_places_of_those_who_may_open_them(signed_in, work):
    member, admin = await signed_in(Role.MEMBER), await signed_in(Role.ADMIN)
    for words, place in (("read a feed", "Read a feed #"), ("member@example.org", "Some Member"), ("jobs", "/jobs")):
        pages = [(await visitor.get("/search", params={"q": words})).text for visitor in (admin, member)]
        assert [place in page.split('id="results"')[1] for page in pages] == [True, False], words


async def test_a_saved_query_is_found_by_its_owner(signed_in, services, as_principal):
    owner, other = await signed_in(Role.EDITOR), await signed_in(Role.ADMIN)
    await services.saved.save(as_principal(owner.user), SavedQueryInput(name="Barley prices", query="barley"))
    assert "Barley prices" in (await owner.get("/search?q=barley")).text
    assert "Barley prices" not in (await other.get("/search?q=barley")).text


@pytest.mark.parametrize("provider", [NewsletterProvider, CustomerProvider, InvoiceProvider])
async def test_an_index_that_was_lost_is_made_again(services, signed_in, own_work, work, provider):
    owner = await signed_in(Role.EDITOR)
    await own_work(owner.user, "Zephyr")
    item = provider(services.tables)
    assert await item.count() == 1
    results, after = [], None
    while True:
        batch = await item.batch(after, 10)
        results += batch.documents
        if (after := batch.after) is None:
            break
    assert [document.kind for document in results] == [item.kind.name]

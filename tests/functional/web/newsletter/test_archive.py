"""The public archive: an issue is shown as somebody with the right to send published it, until it is withdrawn."""

import re
from dataclasses import replace

import feedparser
import pytest

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.newsletter.service import newsletters
from almanac.desks.newsletter.service.access import open_newsletter


@pytest.fixture
def settings(settings):
    return replace(settings, public="newsletter", public_rate_limit_per_minute=100_000)


@pytest.fixture
async def issue(drafted, services):
    """The code of a completed newsletter."""
    code = await drafted(title="Rivers and roads")
    full = await open_newsletter(services, CONSOLE, code)
    await newsletters.complete_newsletter(services, CONSOLE, code, expected=full.draft.draft.version)
    return code


async def test_an_issue_is_public_from_its_publication_to_its_withdrawal(issue, api, nobody, services):
    page = f"/public/en/newsletters/{issue}"
    assert (await nobody.get(page)).status_code == 404
    assert "Rivers and roads" not in (await nobody.get("/public/en/newsletters")).text

    published = await api.post(f"/api/v1/newsletters/{issue}/archive")
    assert published.json()["url"].endswith(page)
    shown = await nobody.get(page)
    assert shown.status_code == 200
    assert "<h1" in shown.text
    assert "Rivers and roads" in shown.text
    assert 'id="reference-1"' in shown.text
    assert "Rivers and roads" in (await nobody.get("/public/en/newsletters")).text
    feed = feedparser.parse((await nobody.get("/public/en/newsletters/feed.atom")).text)
    assert [entry.title for entry in feed.entries] == ["Rivers and roads"]
    assert f"/en/newsletters/{issue}</loc><lastmod>" in (await nobody.get("/public/sitemaps/newsletter-1.xml")).text

    assert (await api.delete(f"/api/v1/newsletters/{issue}/archive")).status_code == 204
    gone = await nobody.get(page, headers={"If-None-Match": shown.headers["etag"]})
    assert gone.status_code == 410
    assert gone.headers["cache-control"] == "public, max-age=30"
    assert "Rivers and roads" not in (await nobody.get("/public/en/newsletters")).text
    async with services.database.reading() as reading:
        assert await reading.value("SELECT body || summary FROM newsletter_archive") == ""


async def test_later_edits_are_not_shown_until_it_is_published_again(issue, api, nobody, services):
    await api.post(f"/api/v1/newsletters/{issue}/archive")
    before = await nobody.get(f"/public/en/newsletters/{issue}")
    configuration = await api.get(f"/api/v1/newsletters/{issue}")
    await api.patch(
        f"/api/v1/newsletters/{issue}",
        json={"title": "Secret working title"},
        headers={"If-Match": configuration.headers["etag"]},
    )
    assert (await nobody.get(f"/public/en/newsletters/{issue}")).text == before.text
    await api.post(f"/api/v1/newsletters/{issue}/archive")
    after = await nobody.get(f"/public/en/newsletters/{issue}")
    assert "Secret working title" in after.text
    assert after.headers["etag"] != before.headers["etag"]


async def test_a_draft_cant_be_published(retrieved, api, nobody):
    code = await retrieved()
    answer = await api.post(f"/api/v1/newsletters/{code}/archive")
    assert answer.status_code == 409
    assert "complete the draft first" in answer.json()["detail"]
    assert (await nobody.get(f"/public/en/newsletters/{code}")).status_code == 404


async def test_an_editor_without_the_right_to_send_cant_publish(issue, editor, signed_in, nobody):
    assert (await editor.http.post(f"/api/v1/newsletters/{issue}/archive")).status_code == 403
    visitor = await signed_in(Role.MEMBER)
    assert (await visitor.post(f"/newsletter/{issue}/archive")).status_code == 403
    assert (await nobody.get(f"/public/en/newsletters/{issue}")).status_code == 404


async def test_deleting_a_newsletter_withdraws_it(issue, api, nobody, services):
    await api.post(f"/api/v1/newsletters/{issue}/archive")
    await newsletters.delete_newsletter(services, CONSOLE, issue)
    assert (await nobody.get(f"/public/en/newsletters/{issue}")).status_code == 410


async def test_an_administrator_publishes_and_withdraws_on_the_export_page(issue, signed_in, nobody):
    administrator = await signed_in(Role.ADMIN)
    export = f"/newsletter/{issue}/export"
    assert "Publish in the archive" in (await administrator.get(export)).text
    await administrator.post(f"/newsletter/{issue}/archive")
    page = (await administrator.get(export)).text
    assert re.search(rf'href="[^"]*/public/en/newsletters/{issue}"', page)
    assert (await nobody.get(f"/public/en/newsletters/{issue}")).status_code == 200
    await administrator.post(f"/newsletter/{issue}/archive/withdraw")
    assert (await nobody.get(f"/public/en/newsletters/{issue}")).status_code == 410

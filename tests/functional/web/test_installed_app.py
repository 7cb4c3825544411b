"""What a browser needs to install Almanac: the manifest, the service worker, and headers that let both work."""

import re
from dataclasses import replace

import pytest

from almanac.accounts.permissions import Role


class TestNamedInstallation:
    @pytest.fixture
    def settings(self, settings):
        return replace(settings, organisation="Harbour Watch Society", desks="news,habits")

    async def test_the_manifest_bears_the_name_and_the_desks_that_are_switched_on(self, nobody):
        answer = await nobody.get("/manifest.webmanifest")
        assert answer.headers["content-type"] == "application/manifest+json"
        manifest = answer.json()
        assert manifest["name"] == "Harbour Watch Society"
        assert manifest["short_name"] == "Almanac"
        assert (manifest["id"], manifest["start_url"], manifest["scope"]) == ("/", "/", "/")
        assert [shortcut["url"] for shortcut in manifest["shortcuts"]] == ["/news", "/habits"]
        assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}


async def test_every_page_links_the_manifest_and_may_run_our_worker(nobody):
    answer = await nobody.get("/sign-in")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in answer.text
    assert 'rel="apple-touch-icon"' in answer.text
    assert len(re.findall('name="theme-color"', answer.text)) == 2
    assert "worker-src 'self'" in answer.headers["content-security-policy"]


async def test_the_worker_is_asked_for_again_each_time_and_keeps_only_static_files(nobody):
    answer = await nobody.get("/service-worker.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.text.startswith("const VERSION = ")
    addresses = re.findall('"(/[^"]+)"', re.search(r"const ASSETS = .*;", answer.text)[0])
    assert addresses
    for address in addresses:
        assert address.startswith("/static/")
        assert (await nobody.get(address)).status_code == 200


async def test_signing_out_clears_what_the_browser_keeps(signed_in):
    browser = await signed_in(Role.EDITOR)
    form = {"csrf_token": await browser.csrf()}
    answer = await browser.http.post("/sign-out", data=form, follow_redirects=False)
    assert answer.headers["clear-site-data"] == '"storage"'


async def test_the_page_without_a_connection_offers_no_other_language(nobody):
    page = (await nobody.get("/offline")).text
    assert "data-offline" in page
    assert 'class="languages"' not in page

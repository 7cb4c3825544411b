"""A browser shows names that try to be markup: nothing runs, and nothing even tries, which the console would tell."""

import json

from playwright.async_api import expect

from almanac.accounts.permissions import Role

SECONDS = 120
HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script><svg/onload=alert(3)>'
MADE = [
    ("/api/v1/habits", {"name": HOSTILE[:60], "description": HOSTILE}),
    ("/api/v1/saved-queries", {"name": HOSTILE[:60], "query": "rain"}),
    ("/api/v1/newsletters", {"title": HOSTILE}),
    ("/api/v1/tokens", {"name": HOSTILE[:60], "scopes": ["read"]}),
]


async def test_no_dialog_opens_on_any_page_with_hostile_names(enter):
    page = await enter(Role.ADMIN)
    opened = []
    page.on("dialog", lambda dialog: opened.append(dialog.message))
    token = json.loads(await page.locator("body").get_attribute("hx-headers"))
    for path, body in MADE:
        answer = await page.request.post(path, data=body, headers=token, timeout=SECONDS * 1000)
        assert answer.ok, f"{path}: {await answer.text()}"
    for path in ("/habits", "/saved", "/newsletter", "/account/tokens"):
        await page.goto(path)
        await expect(page.get_by_text("onerror=alert(1)").first).to_be_visible()
        assert await page.locator("img[src=x], svg[onload]").count() == 0
    assert opened == []

"""On a phone, every page fits and speaks the reader's language: no English is left beside what people wrote."""

import re

import pytest

from almanac.accounts.permissions import Role
from almanac.kit.catalogs import language_tag

PHONE = {"width": 390, "height": 800}
PUBLIC = ["/sign-in", "/sign-in/forgotten", "/offline"]
SIGNED_IN = [
    "/",
    "/?tour=1",
    "/account",
    "/account/email",
    "/account/notifications",
    "/account/password",
    "/account/sessions",
    "/account/tokens",
    "/account/two-step",
    "/approvals",
    "/audit",
    "/audit/check",
    "/failures",
    "/habits",
    "/habits/new",
    "/habits/points",
    "/habits/settings",
    "/jobs",
    "/jobs/schedules",
    "/knowledge",
    "/knowledge/add",
    "/mail",
    "/mail/suppressions",
    "/models",
    "/news",
    "/news/queue",
    "/news/sites",
    "/news/tasks",
    "/newsletter",
    "/organisation",
    "/people",
    "/people/invite",
    "/recap",
    "/reminders",
    "/reminders/customers",
    "/reminders/import",
    "/reminders/ladder",
    "/reminders/templates",
    "/saved",
    "/saved/new",
    "/search",
    "/search?q=zzzzz",
    "/setup/desks",
    "/setup/end",
    "/setup/mail",
    "/setup/model",
    "/setup/you",
    "/shortcuts",
    "/teams",
    "/webhooks",
    "/why",
    "/why?about=https://example.org/x",
    "/why?about=zzzzz",
]
# None of them is a word of German, Malay or a name.
ENGLISH = re.compile(
    r"\b(?:the|is|are|of|you|your|with|this|that|and|nothing|here|from|yet|when|what|who|which)\b", re.IGNORECASE
)
ADDRESS = re.compile(r"\w+://\S+")
# Content and what programs read keep their language.
WORDS = """() => {
  const skipped = "code, pre, kbd, samp, script, style, template, textarea, .mono, [lang]:not(html)";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const lines = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    if (text && !node.parentElement.closest(skipped)) lines.push(text);
  }
  return lines;
}"""
TOO_WIDE = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""


@pytest.fixture(scope="module")
async def site(databases, open_site):
    """One where nobody wrote anything yet: what people write stays in their language."""
    async with databases.lend() as address, open_site(address) as site:
        yield site


async def find_faults(page, paths, language):
    faults = []
    for path in paths:
        await page.goto(path)
        await page.wait_for_load_state("load")
        assert await page.get_attribute("html", "lang") == language_tag(language)
        if (surplus := await page.evaluate(TOO_WIDE)) > 0:
            faults.append(f"{path} is {surplus} px too wide")
        faults += [f"{path}: {line}" for line in await page.evaluate(WORDS) if ENGLISH.search(ADDRESS.sub("", line))]
    return faults


@pytest.mark.parametrize("language", ["de", "ja"])
async def test_pages_of_an_administrator(enter, language):
    page = await enter(Role.ADMIN, locale=language_tag(language), viewport=PHONE)
    faults = await find_faults(page, SIGNED_IN, language)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", ["de", "ja"])
async def test_pages_of_strangers(browse, language):
    page = await browse(locale=language_tag(language), viewport=PHONE)
    faults = await find_faults(page, PUBLIC, language)
    assert not faults, "\n".join(faults)

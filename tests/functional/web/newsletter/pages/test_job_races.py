"""A job that ends while a page is rendered: the page shows its result, since no later event would."""

import re
from contextlib import aclosing
from dataclasses import replace

import pytest

from almanac.desks import DESKS
from almanac.web.app import create_app


class JobsThatEndWhenLookedAt:
    """The real jobs; looking at one takes until it is over."""

    def __init__(self, jobs):
        self._jobs = jobs

    def __getattr__(self, name):
        return getattr(self._jobs, name)

    async def job(self, job_id):
        async with aclosing(self._jobs.watch(job_id)) as changes:
            async for _ in changes:
                pass
        return await self._jobs.job(job_id)


@pytest.fixture
def app(services):
    return create_app(replace(services, jobs=JobsThatEndWhenLookedAt(services.jobs)), DESKS)


async def test_the_page_shows_what_the_jobs_brought(drafted_desk):
    item = re.findall(
        r'name="item_id" value="([^"]+)"', (await drafted_desk.see("outline")).split('id="outline-section-2"')[-1]
    )[0]
    await drafted_desk.send("outline/include", {"section_id": "section-2", "item_id": item}, page="outline")
    written = await drafted_desk.send("draft/sections/section-2/regenerate", {"instruction": "Shorter, please."})
    assert "data-running" not in written.text
    assert "revision 2" in written.text

    exported = await drafted_desk.send("export/markdown")
    assert "data-running" not in exported.text
    assert "from revision 2" in exported.text


async def test_a_page_shows_only_jobs_of_its_own_newsletter(drafted_desk, begin):
    exported = await drafted_desk.send("export/markdown")
    job = exported.url.params["job"]
    other = await begin("For our partners")
    assert f'data-job="{job}"' in await drafted_desk.see(f"export?job={job}")
    assert f'data-job="{job}"' not in await other.see(f"export?job={job}")

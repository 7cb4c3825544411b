"""Demo newsletters, written by the regular steps without a model from the demo's knowledge, news and sittings."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from almanac.demo import DemoContent, DemoRun
from almanac.desks.newsletter.demo.sources import SOURCE
from almanac.desks.newsletter.model.configuration import ConfigurationEdit, new_configuration
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter, StepName
from almanac.desks.newsletter.model.schedule import IssueSchedule
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service import topics as topic_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.errors import NotFound, Unavailable
from almanac.jobs import JobStatus
from almanac.kit.messages import gettext
from almanac.knowledge import KnowledgeViewer, SourceStatus
from almanac.llm.extractive.writer import ExtractiveWriter
from almanac.services import Services

NEWSLETTER = "newsletter"
# Far longer than reading takes; a longer wait would block the only slot of a worker that must read the sources.
_MAX_WAIT_SECONDS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoIssue:
    """A demo newsletter, and the last step to run for it."""

    name: str
    configuration: ConfigurationEdit
    topics: Sequence[str]
    until: StepName


ISSUES = (
    DemoIssue(
        name="weekly",
        configuration=ConfigurationEdit(
            title="Horn of Africa Weekly (demo)",
            description="What changed for herders, farmers and traders in the drylands of the Horn.",
            target_audience=("development_partners", "policy_makers"),
            tone_preset="industry_insight",
            length_preference="standard",
            frequency="weekly",
            geographic_focus="Horn of Africa",
            source_kinds=("knowledge",),
        ),
        topics=(
            "breaking_news",
            "food_security",
            "policy_updates",
            "market_access",
            "livestock",
            "climate_smart",
            "funding",
            "events",
            "publications",
        ),
        until="draft",
    ),
    DemoIssue(
        name="monthly",
        configuration=ConfigurationEdit(
            title="Dryland Research and Funding, monthly (demo)",
            description="Findings that can be used in the field, and who pays for the next ones.",
            target_audience=("researchers", "ag_tech_industry"),
            tone_preset="expert_analysis",
            length_preference="deep_dive",
            frequency="monthly",
            geographic_focus="Horn of Africa",
            source_kinds=("knowledge",),
        ),
        topics=(
            "research_findings",
            "technology_innovation",
            "climate_smart",
            "project_updates",
            "funding",
            "publications",
        ),
        until="retrieval",
    ),
    DemoIssue(
        name="yearly",
        configuration=ConfigurationEdit(
            title="Sun, Wind and Water, the Year (demo)",
            description="What the news and a parliament said about power from sun, wind and water.",
            target_audience=("policy_makers",),
            tone_preset="industry_insight",
            length_preference="standard",
            frequency="custom",
            source_kinds=("news", "recap"),
            # The demo's sittings have fixed dates, so only a yearly issue is sure to cover them.
            schedule=IssueSchedule("0 7 1 1 *", "UTC"),
        ),
        topics=("policy_updates", "market_access", "hydropower", "小水力"),
        until="draft",
    ),
)


async def write_issues(run: DemoRun) -> None:
    """Write each newsletter up to its last step, once the sources are read."""
    await _wait_for_sources(run)
    for issue in ISSUES:
        await write_issue(run, issue)


async def write_issue(run: DemoRun, issue: DemoIssue) -> FullNewsletter:
    """Create the newsletter if it is missing, and run the steps that are missing."""
    services = replace(run.services, writer=ExtractiveWriter(run.services.clock))
    code = await start_issue(run, issue)
    full = await open_newsletter(services, run.owner, code, consistent=True)
    if not full.topics.selected:
        full = await topic_service.choose_topics(services, run.owner, code, issue.topics, expected=full.topics.version)
    for step in STEPS[: STEPS.index(issue.until) + 1]:
        if full.step_state(step).status != "completed":
            full = await step_service.run_step_now(services, run.owner, code, step, run.ledger)
    return full


async def delete_issues(content: DemoContent) -> None:
    """Delete the newsletters; those that are already gone are skipped."""
    for code in content.made(NEWSLETTER).values():
        try:
            await newsletter_service.delete_newsletter(content.services, content.owner, code)
        except NotFound:
            continue


async def start_issue(run: DemoRun, issue: DemoIssue) -> str:
    """Create the newsletter and return its code.

    The code is recorded first, so that a retry doesn't create a second one.
    """
    code = run.made(NEWSLETTER).get(issue.name)
    if code is None:
        code = await _unused_code(run.services)
        await run.note(NEWSLETTER, issue.name, code)
    if not await _exists(run.services, code):
        recorded_code = code
        await newsletter_store.create_newsletter(
            run.services.tables,
            new_configuration(issue.configuration),
            owner_id=run.owner.user_id,
            owner_email=run.owner.email,
            owner_name=run.owner.name,
            now=run.services.clock.now(),
            make_code=lambda _now: recorded_code,
        )
    return code


async def _unused_code(services: Services) -> str:
    while await _exists(services, code := newsletter_store.generate_newsletter_code(services.clock.now())):
        pass
    return code


async def _exists(services: Services, code: str) -> bool:
    try:
        await newsletter_store.get_newsletter(services.tables, code)
    except NotFound:
        return False
    return True


async def _wait_for_sources(run: DemoRun) -> None:
    """The jobs that read them were queued before this one, so each is running or has ended, unless it is retried."""
    sources = run.made(SOURCE)
    try:
        async with asyncio.timeout(_MAX_WAIT_SECONDS):
            for number, source_id in enumerate(sources.values()):
                await run.ledger.progress(number, len(sources), gettext("Waiting until the sources are read"))
                await _wait_for_source(run, source_id)
    except TimeoutError as error:
        raise Unavailable("The demo's sources are still being read; its newsletters are written later.") from error


async def _wait_for_source(run: DemoRun, source_id: str) -> None:
    """Follow the job that reads it; a source that was removed or whose job is waiting for a retry is skipped."""
    try:
        source = (await run.services.knowledge.get(KnowledgeViewer(run.owner.user_id), source_id)).source
    except NotFound:
        return
    if source.job_id is None or source.status not in (SourceStatus.WAITING, SourceStatus.READING):
        return
    async with aclosing(run.services.jobs.watch(source.job_id)) as changes:
        async for job in changes:
            if job.status is JobStatus.QUEUED and job.not_before is not None:
                return

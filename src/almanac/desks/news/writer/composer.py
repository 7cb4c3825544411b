"""From a read page to what is told about it: by a model where one is set, by extraction otherwise or where it fails."""

import asyncio
from dataclasses import dataclass, replace

from almanac.articles import ParsedPage
from almanac.desks.news.model.articles import StoryFallback, WrittenStory
from almanac.desks.news.model.links import LinkCause
from almanac.desks.news.writer.checker import CheckedStory, StoryCheck
from almanac.desks.news.writer.step import STORY, Story, StoryInput, extract_story
from almanac.errors import InputError
from almanac.judge import SecondJudge
from almanac.kit.clock import Clock
from almanac.llm.fallback import write_or_extract
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.port import StepFallback, StepProvenance, StepWriter
from almanac.llm.port import WrittenStep as Step
from almanac.llm.sources import StepSource

DESK = "news"
# So many characters of an article are checked within a moment, word for word; a thread would cost more than it saves.
_AT_ONCE = 20_000


class NoClaimVerified(InputError, code="nothing_holds"):
    """Nothing that could be written about the article stood the check."""

    cause = LinkCause.UNCHECKED

    def __init__(self) -> None:
        super().__init__("No sentence about this page passed the check against it, so nothing is shown.")


@dataclass(frozen=True, slots=True)
class StoryComposer:
    """Writes stories and keeps of each what the article says; without a writer, of what was chosen at the reading."""

    writer: StepWriter | None
    clock: Clock
    judge: SecondJudge | None = None

    async def compose(self, page: ParsedPage, link_id: int) -> WrittenStory:
        """A checked story. Retryable where a model should be asked again later; NoClaimVerified as the last word."""
        given = StoryInput(sources=(_source(page, link_id),), choice=page.choice)
        step = await self._by_writer(given, link_id)
        kept = await self._check(step, page, link_id)
        dropped, cost, fallback = (*step.dropped, *kept.dropped), float(step.provenance.cost), _fallback(step.fallback)
        if step.provenance.model != EXTRACTIVE and (not kept.bullets or page.language not in kept.headlines):
            extracted = self._by_extraction(given)
            instead = await self._check(extracted, page, link_id)
            if not kept.bullets:
                reason = f"Nothing that {step.provenance.model} wrote about this page passed the check against it."
                step, kept, fallback = extracted, instead, StoryFallback(reason=reason, can_retry=False)
            else:
                kept = replace(kept, headlines={**instead.headlines, **kept.headlines})
        if not kept.bullets:
            raise NoClaimVerified
        return WrittenStory(
            headlines=kept.headlines,
            bullets=kept.bullets,
            states=kept.states,
            writer=step.provenance.model,
            prompt_version=step.provenance.prompt_version,
            cost=cost,
            dropped=dropped,
            fallback=fallback,
        )

    async def _by_writer(self, given: StoryInput, link_id: int) -> Step[Story]:
        if self.writer is None:
            return self._by_extraction(given)
        return await write_or_extract(self.writer, self.clock, STORY, given, desk=DESK, subject=f"link {link_id}")

    async def _check(self, step: Step[Story], page: ParsedPage, link_id: int) -> CheckedStory:
        """What holds of a story; of a model's story also by a second judge, where that is switched on."""
        is_extracted = step.provenance.model == EXTRACTIVE
        check = StoryCheck(page.title, page.text, page.language, is_extracted=is_extracted)
        if is_extracted and len(page.text) <= _AT_ONCE:
            return check.kept(step.output)
        kept = await asyncio.to_thread(check.kept, step.output)
        if is_extracted or self.judge is None or not self.judge.is_on(DESK):
            return kept
        opinions = await self.judge.form_opinions(check.checks, desk=DESK, subject=f"link {link_id}")
        again = StoryCheck(page.title, page.text, page.language, opinions=opinions)
        return await asyncio.to_thread(again.kept, step.output)

    def _by_extraction(self, given: StoryInput) -> Step[Story]:
        provenance = StepProvenance(
            model=EXTRACTIVE, step=STORY.name, prompt_version=STORY.prompt.version, made_at=self.clock.now()
        )
        return Step(output=extract_story(given), provenance=provenance)


def _source(page: ParsedPage, link_id: int) -> StepSource:
    return StepSource(
        id=str(link_id), text=page.text, title=page.title, language=page.language or None, date=page.published
    )


def _fallback(fallback: StepFallback | None) -> StoryFallback | None:
    return StoryFallback(reason=fallback.reason, retry_at=fallback.retry_at) if fallback else None

"""What is answered to a question “why”: one trace, several subjects to choose from, or that nothing is known."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from almanac.accounts.model import Principal
from almanac.errors import NotFound
from almanac.http.desk import Desk
from almanac.services import Services
from almanac.web.explainers import list_sources
from almanac.why import (
    WhyReader,
    WhySource,
    WhySubject,
    WhyTrace,
    explain_subject,
    find_subjects,
    parse_question,
    search_documents,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyAnswer:
    """The answer for `about`: a trace, or traces to choose from; neither if nothing that may be seen has the name."""

    about: str
    trace: WhyTrace | None = None
    choices: Sequence[WhyTrace] = ()


async def answer_why(services: Services, desks: Sequence[Desk], principal: Principal, about: str) -> WhyAnswer:
    """Ask about a subject, as `customer:lotus`, or about words."""
    reader, sources = WhyReader(services, principal), list_sources(desks)
    try:
        trace = await explain_subject(reader, sources, about)
    except NotFound:
        return WhyAnswer(about=about)
    if trace is not None:
        return WhyAnswer(about=about, trace=trace)
    asked = parse_question(about)
    question = replace(asked, is_asked=True, hits=await search_documents(reader, asked.words))
    traces = await explain_all(reader, sources, await find_subjects(reader, sources, question))
    if len(traces) == 1:
        return WhyAnswer(about=about, trace=traces[0])
    return WhyAnswer(about=about, choices=traces)


async def explain_all(
    reader: WhyReader, sources: Sequence[WhySource], subjects: Sequence[WhySubject]
) -> list[WhyTrace]:
    """The traces of subjects; what vanished in the meantime is left out."""

    async def explain(subject: WhySubject) -> WhyTrace | None:
        with suppress(NotFound):
            return await explain_subject(reader, sources, subject.about)
        return None

    traces = await asyncio.gather(*(explain(subject) for subject in subjects))
    return [trace for trace in traces if trace is not None]

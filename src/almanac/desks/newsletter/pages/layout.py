"""What the pages of the four steps share: permissions, step links and the common frame."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Path
from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.newsletter import FullNewsletter, StepName, has_result
from almanac.desks.newsletter.model.revisions import translate_reason
from almanac.desks.newsletter.model.topics import TOPIC_LABELS
from almanac.desks.newsletter.permissions import READ, SEND, WRITE
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.urls import newsletter_path
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.pages import render_page
from almanac.kit.messages import gettext, join_texts, pgettext

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
Sender = Annotated[Principal, require(SEND)]
Code = Annotated[str, Path(max_length=40)]
PartId = Annotated[str, Path(min_length=1, max_length=200)]

STATUS_TONES = {"draft": "waiting", "completed": "done", "exported": "done"}
STATUSES = {
    "draft": pgettext("status of a newsletter", "Draft"),
    "completed": pgettext("status of a newsletter", "Completed"),
    "exported": pgettext("status of a newsletter", "Exported"),
}
STEP_PAGES = ("configuration", "topics", "outline", "draft")
_TITLES = (gettext("Configuration"), gettext("Topics and sources"), gettext("Outline"), gettext("Draft and export"))
_STEP_OF_PAGE: dict[str, StepName] = {"topics": "retrieval", "outline": "outline", "draft": "draft"}
PAGE_OF_STEP: dict[StepName, str] = {step: name for name, step in _STEP_OF_PAGE.items()}


@dataclass(frozen=True, slots=True)
class StepLink:
    """A step in the stepper. `state` is done, running, failed, changed, or empty."""

    words: str
    href: str
    state: str

    @property
    def pair(self) -> tuple[str, str]:
        """Label and address, as the stepper macro expects them."""
        return self.words, self.href


async def load_newsletter(request: Request, principal: Principal, code: str) -> FullNewsletter:
    """The newsletter, read consistently so that the latest change is visible."""
    return await open_newsletter(get_state(request).services, principal, code, consistent=True)


async def step_page(
    request: Request,
    name: str,
    full: FullNewsletter,
    /,
    *,
    template: str = "",
    status_code: int = 200,
    **values: object,
) -> HTMLResponse:
    """Render a page of a step in the common frame."""
    return await render_page(
        request,
        template or f"newsletter/{name}.html",
        status_code=status_code,
        full=full,
        newsletter=full.newsletter,
        base=newsletter_path(full.code),
        step_name=name,
        status_tones=STATUS_TONES,
        statuses=STATUSES,
        topic_labels=TOPIC_LABELS,
        has_model=bool(get_state(request).services.settings.llm_model),
        reason_words=translate_reason,
        step_links=step_links(full),
        current=STEP_PAGES.index(name),
        changes=(changes := _changes_at(full, name)),
        changes_text=join_texts(changes, " "),
        **values,
    )


def step_links(full: FullNewsletter) -> list[StepLink]:
    """The four steps, each with its state."""
    pairs = zip(STEP_PAGES, _TITLES, strict=True)
    return [StepLink(title, newsletter_path(full.code, name), _link_state(full, name)) for name, title in pairs]


def _link_state(full: FullNewsletter, name: str) -> str:
    step = _STEP_OF_PAGE.get(name)
    if step is None:
        return "done"
    status = full.step_state(step).status
    if status == "processing":
        return "running"
    if status == "failed":
        return "failed"
    if not has_result(full, step):
        return ""
    return "changed" if any(change.step == step for change in full.changes) else "done"


def _changes_at(full: FullNewsletter, name: str) -> list[str]:
    """What changed since the step of this page was done; empty while the step runs."""
    step = _STEP_OF_PAGE.get(name)
    if step is None or full.step_state(step).status == "processing":
        return []
    return [change.sentence for change in full.changes if change.step == step]

"""Step 1: the self-saving configuration form, a preview of what will be written, and edit conflicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.configuration import (
    AUDIENCES,
    FORMATS,
    FREQUENCIES,
    LENGTHS,
    SOURCE_KINDS,
    TONE_PRESETS,
    apply_configuration_edit,
)
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.retrieval_plan import BY_FREQUENCY, describe_issue, plan_retrieval
from almanac.desks.newsletter.model.schedule import list_next_runs, schedule_or_default
from almanac.desks.newsletter.pages.configuration_form import WEEKDAYS, ConfigurationForm, build_form, list_differences
from almanac.desks.newsletter.pages.layout import Code, Reader, Writer, load_newsletter, step_page
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.store.series import get_series
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, make_conflict
from almanac.http.pages import is_htmx_request, parse_form_version, redirect_with_message, render_fragment
from almanac.kit.messages import day_text, figure_text, gettext, ngettext, pgettext

router = APIRouter(prefix=PREFIX)
Sent = Annotated[ConfigurationForm, Form()]

_PRESET_WORDS = {
    "expert_analysis": (gettext("Expert analysis"), gettext("Formal and precise, with technical terms.")),
    "industry_insight": (gettext("Industry insight"), gettext("Professional, with some technical detail.")),
    "friendly_summary": (gettext("Friendly summary"), gettext("Warm and plain, for everyone.")),
}
_LENGTH_WORDS = {
    "quick_read": gettext("Two to three minutes; only the essentials."),
    "standard": gettext("About five minutes; a paragraph per topic."),
    "deep_dive": gettext("Ten minutes or more; background and figures."),
}
_SOURCE_WORDS = {
    "knowledge": gettext("Files, pages and feeds that you and others added."),
    "news": gettext("Stories, in the words of the original page."),
    "recap": gettext("Speeches, in the words of the record."),
}
CHOICES: Mapping[str, object] = {
    "audiences": list(AUDIENCES.items()),
    "sources": [(key, words, _SOURCE_WORDS[key]) for key, words in SOURCE_KINDS.items()],
    "formats": list(FORMATS.items()),
    "lengths": [
        (
            key,
            length.title,
            gettext("%(fewest)s to %(most)s words.", fewest=figure_text(length.fewest), most=figure_text(length.most)),
            _LENGTH_WORDS[key],
        )
        for key, length in LENGTHS.items()
    ],
    "frequencies": [
        (
            key,
            words,
            ngettext("Looks back %(num)s day.", "Looks back %(num)s days.", BY_FREQUENCY[key].days)
            if key in BY_FREQUENCY
            else gettext("On days that you choose."),
        )
        for key, words in FREQUENCIES.items()
    ],
    "presets": [(key, *_PRESET_WORDS[key], tone) for key, tone in TONE_PRESETS.items()],
    "weekdays": WEEKDAYS,
}


_USED_AS = {
    LENGTHS["quick_read"].title: gettext("Set by another program; used as quick read."),
    LENGTHS["standard"].title: gettext("Set by another program; used as standard."),
    LENGTHS["deep_dive"].title: gettext("Set by another program; used as deep dive."),
}
OUTCOMES = {
    "preparing": pgettext("issue", "Preparing"),
    "prepared": pgettext("issue", "Prepared"),
    "skipped": pgettext("issue", "Skipped"),
    "failed": pgettext("issue", "Failed"),
}


@dataclass(frozen=True, slots=True)
class IssueOutlook:
    """What will be written, when the next issues are due, and which later steps are out of date."""

    sentence: str
    runs: list[str]
    zone: str
    changes: list[str]


@router.get("/{code}/configuration")
async def show_configuration(request: Request, code: Code, principal: Reader) -> Response:
    """The saved configuration as a form."""
    full = await load_newsletter(request, principal, code)
    return await _show(
        request, full, build_form(full.newsletter.configuration, full.newsletter.version, _zone(request, principal))
    )


@router.post("/{code}/configuration")
async def save_configuration(
    request: Request, code: Code, principal: Writer, sent: Sent, then: Annotated[str, Form()] = ""
) -> Response:
    """Save the form. An htmx request gets the changed fragments, a browser is redirected to the next step."""
    services = get_state(request).services
    full = await load_newsletter(request, principal, code)
    edit = sent.edit(full.newsletter.configuration)
    try:
        saved = await newsletter_service.edit_configuration(
            services, principal, code, edit, expected=parse_form_version(sent.version)
        )
    except FieldErrors as error:
        return await _refused(request, full, sent, error.fields)
    except StaleEdit:
        return await _conflict(request, full, sent)
    if is_htmx_request(request):
        return _saved(request, saved)
    if then == "topics":
        return redirect_with_message(request, newsletter_path(code, "topics"))
    return redirect_with_message(request, newsletter_path(code, "configuration"), gettext("Configuration saved."))


async def _show(
    request: Request,
    full: FullNewsletter,
    form: ConfigurationForm,
    /,
    *,
    status_code: int = 200,
    errors: Mapping[str, str] | None = None,
    conflict: EditConflict | None = None,
) -> Response:
    series = await get_series(get_state(request).services.tables, full.code)
    return await step_page(
        request,
        "configuration",
        full,
        status_code=status_code,
        form=form,
        errors=errors or {},
        conflict=conflict,
        choices=CHOICES,
        outcomes=OUTCOMES,
        used_as=_USED_AS,
        series=series,
        outlook=_outlook(request, full),
    )


def _saved(request: Request, full: FullNewsletter) -> HTMLResponse:
    """The fragments that follow from what was saved."""
    outlook = _outlook(request, full)
    return HTMLResponse(
        render_fragment(request, "newsletter/configuration_saved.html", newsletter=full.newsletter, outlook=outlook)
    )


async def _refused(
    request: Request, full: FullNewsletter, sent: ConfigurationForm, errors: Mapping[str, str]
) -> Response:
    if is_htmx_request(request):
        return HTMLResponse(render_fragment(request, "newsletter/configuration_refused.html", errors=errors))
    return await _show(request, full, sent, status_code=422, errors=errors)


async def _conflict(request: Request, full: FullNewsletter, sent: ConfigurationForm) -> Response:
    """Both versions, if someone else saved first; nothing is overwritten until the person decides."""
    saved = full.newsletter.configuration
    try:
        edited = apply_configuration_edit(saved, sent.edit(saved))
    except FieldErrors as error:
        return await _refused(request, full, sent, error.fields)
    conflict = await make_conflict(
        request, list_differences(edited, saved), full.newsletter.version, newsletter_path(full.code, "configuration")
    )
    if is_htmx_request(request):
        values = {"conflict": conflict, "csrf": request.headers.get("X-CSRF-Token", "")}
        return HTMLResponse(render_fragment(request, "newsletter/configuration_conflict.html", oob=True, **values))
    return await _show(request, full, sent, status_code=412, conflict=conflict)


def _outlook(request: Request, full: FullNewsletter) -> IssueOutlook:
    services = get_state(request).services
    configuration, now = full.newsletter.configuration, services.clock.now()
    schedule = schedule_or_default(
        configuration.frequency, configuration.schedule, time_zone=services.settings.time_zone
    )
    zone = ZoneInfo(schedule.time_zone)
    return IssueOutlook(
        sentence=describe_issue(configuration, plan_retrieval(configuration, now)),
        runs=[
            gettext("%(day)s, %(time)s", day=day_text(run.date(), "long_date"), time=f"{run:%H:%M}")
            for run in (moment.astimezone(zone) for moment in list_next_runs(schedule, now))
        ],
        zone=schedule.time_zone,
        changes=[change.sentence for change in full.changes],
    )


def _zone(request: Request, principal: Principal) -> str:
    return principal.preferences.time_zone or get_state(request).services.settings.time_zone

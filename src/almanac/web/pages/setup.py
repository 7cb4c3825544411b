"""Guided set-up for administrators: one question per page, each to answer, skip or change later."""

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal, User
from almanac.accounts.service import UserEdit
from almanac.demo import Demo
from almanac.desks import DESKS
from almanac.doctor import run_checks
from almanac.errors import AlmanacError, Conflict, FieldErrors, NotFound, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.auth import client_address, require
from almanac.http.conflicts import make_conflict
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, FormTexts, FormZone, redirect, render_page
from almanac.kit.dates import machine_zone
from almanac.kit.messages import gettext, join_texts
from almanac.kit.time_zones import label_zone
from almanac.setup import STEPS
from almanac.setup import service as setup_service
from almanac.setup.model import PROVIDERS, MailChoice, ModelChoice, explain_mail_failure
from almanac.web.public_side import summarize_public
from almanac.web.setup_summary import describe_choices, describe_state

pages = APIRouter()

Administrator = Annotated[Principal, require("setup.manage")]
_TITLES = {step.name: step.title for step in STEPS}


@pages.get("/organisation")
async def show_organisation(request: Request, _principal: Administrator) -> Response:
    """Show everything that was chosen, where it comes from, and how to change it."""
    state = get_state(request)
    progress = await setup_service.get_progress(state.services.setup)
    lines = await describe_choices(state.services, make_demo(), progress)
    public = await summarize_public(state.services, state.desks)
    return await render_page(request, "organisation.html", lines=lines, progress=progress, public=public)


@pages.get("/setup")
async def continue_setup(request: Request, _principal: Administrator) -> Response:
    """Go on with the first step that is open."""
    progress = await setup_service.get_progress(get_state(request).services.setup)
    step = progress.next_step
    return redirect(request, f"/setup/{step.name}" if step else "/setup/end")


@pages.get("/setup/end")
async def show_end(request: Request, _principal: Administrator) -> Response:
    """Show what works and what doesn't yet."""
    services = get_state(request).services
    progress = await setup_service.get_progress(services.setup)
    findings = await run_checks(services)
    facts = await describe_state(services)
    return await render_page(request, "setup/end.html", progress=progress, findings=findings, facts=facts)


@pages.post("/setup/dismiss")
async def dismiss_setup(request: Request, principal: Administrator) -> Response:
    """Remind nobody of set-up any more."""
    await setup_service.dismiss(get_state(request).services.setup, principal)
    words = gettext("Set-up is put away. You find everything under Organisation.")
    return redirect(request, "/", Flash(words, "plain"))


@pages.post("/setup/{step}/skip")
async def skip_step(request: Request, step: str, principal: Administrator) -> Response:
    """Leave a step for later."""
    await setup_service.mark_step(get_state(request).services.setup, principal, step, "skipped")
    return await go_on(request, step)


@pages.get("/setup/{step}")
async def show_step(request: Request, step: str, principal: Administrator) -> Response:
    """Show one question with its current answer."""
    if step not in _TITLES:
        raise NotFound(gettext("This step of set-up doesn't exist."))
    return await render_step(request, principal, step)


@pages.post("/setup/organisation")
async def name_organisation(request: Request, principal: Administrator, organisation: FormText = "") -> Response:
    """Keep the organisation's name."""
    return await save_step(request, principal, "organisation", {"organisation": organisation.strip() or None})


@pages.post("/setup/you")
async def save_person(
    request: Request,
    principal: Administrator,
    name: FormText = "",
    email: FormText = "",
    password: FormText = "",
) -> Response:
    """Change one's own name and address, and choose a password if there is none yet."""
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, principal.user_id)
    try:
        _check_person(user, email, password)
        edit = UserEdit(name=name, email=email if email.strip().lower() != user.email else None)
        await accounts.edit_user(services.accounts, principal, user.id, edit)
        if not user.has_password:
            await accounts.change_password(
                services.accounts, principal, current="", new=password, address=client_address(request)
            )
    except FieldErrors as error:
        values = {"name": name, "email": email}
        return await render_step(request, principal, "you", errors=error.fields, values=values)
    await setup_service.mark_step(services.setup, principal, "you", "done")
    return await go_on(request, "you", Flash(gettext("Your account is saved.")))


def _check_person(user: User, email: str, password: str) -> None:
    lacks_password = not user.has_password and not password
    checks: dict[str, tuple[bool, str]] = {
        "email": (email.strip().lower().endswith("@localhost"), gettext("Enter an address where you get mail.")),
        "password": (lacks_password, gettext("Choose a password; the link that you used works only once.")),
    }
    if errors := {field: words for field, (wrong, words) in checks.items() if wrong}:
        raise FieldErrors(errors)


@pages.post("/setup/time-zone")
async def choose_time_zone(request: Request, principal: Administrator, time_zone: FormZone = "") -> Response:
    """Keep the time zone."""
    return await save_step(request, principal, "time-zone", {"time_zone": time_zone})


@pages.post("/setup/address")
async def choose_address(
    request: Request, principal: Administrator, base_url: FormText = "", sure: Annotated[bool, Form()] = False
) -> Response:
    """Keep the address under which people reach Almanac."""
    base_url = base_url.strip().rstrip("/")
    if _origin(base_url) != _origin(guess_address(request)) and not sure:
        words = gettext("You are here under another address. Tick the box below if Almanac answers there.")
        return await render_step(
            request, principal, "address", errors={"base_url": words}, values={"base_url": base_url, "other": True}
        )
    return await save_step(request, principal, "address", {"base_url": base_url})


@pages.post("/setup/desks")
async def choose_desks(request: Request, principal: Administrator, desks: FormTexts = None) -> Response:
    """Keep which desks are open."""
    every = [desk.name for desk in DESKS]
    chosen = [name for name in every if name in (desks or [])]
    if not chosen:
        return await render_step(request, principal, "desks", errors={"desks": gettext("Choose at least one desk.")})
    return await save_step(request, principal, "desks", {"desks": None if chosen == every else ",".join(chosen)})


@pages.post("/setup/content")
async def choose_content(request: Request, principal: Administrator, content: FormText = "") -> Response:
    """Keep, load or remove the demo content."""
    services, demo = get_state(request).services, make_demo()
    words = gettext("The content stays as it is.")
    try:
        if content == "empty":
            report = await demo.remove(services)
            words = (
                gettext("Removed %(summary)s of demo content.", summary=report.summary)
                if report.summary
                else gettext("There is no demo content.")
            )
        elif content == "demo":
            await demo.queue(services, principal.user_id)
            words = gettext("Demo content is being loaded.")
    except Conflict as error:
        return await render_step(request, principal, "content", errors={"content": error.sentence})
    await setup_service.mark_step(services.setup, principal, "content", "done")
    return await go_on(request, "content", Flash(words))


async def save_step(request: Request, principal: Principal, step: str, changes: dict[str, str | None]) -> Response:
    """Keep the choices of a step and go on; what is wrong is shown beside its field."""
    version = (await request.form()).get("version")
    expected = version if isinstance(version, str) and version else None
    values: dict[str, object] = {name: value or "" for name, value in changes.items()}
    try:
        await setup_service.choose(get_state(request).services.setup, principal, step, changes, expected=expected)
    except StaleEdit as error:
        return await _render_conflict(request, principal, step, changes, error.current)
    except AlmanacError as error:
        field = next(iter(changes))
        return await render_step(request, principal, step, errors={field: plain_error(error)}, values=values)
    return await go_on(request, step, Flash(gettext("Saved.")))


async def _render_conflict(
    request: Request, principal: Principal, step: str, changes: Mapping[str, str | None], version: str
) -> Response:
    """What was chosen beside what somebody else chose meanwhile."""
    name, mine = next(iter(changes.items()))
    saved = get_state(request).services.setup.choices()[name].value
    rows = [(_TITLES[step], _describe_choice(name, mine), _describe_choice(name, saved))]
    conflict = await make_conflict(request, rows, version, request.url.path)
    values: dict[str, object] = {name: mine or ""}
    if name == "desks":
        values = {"chosen": _list_desks(mine)}
    return await render_step(request, principal, step, values=values, conflict=conflict)


def _describe_choice(name: str, value: object) -> str:
    if name == "desks":
        chosen = _list_desks(value)
        return join_texts([desk.title for desk in DESKS if desk.name in chosen])
    return label_zone(str(value)) if name == "time_zone" else str(value or "")


def _list_desks(value: object) -> list[str]:
    return str(value).split(",") if value else [desk.name for desk in DESKS]


def plain_error(error: AlmanacError) -> str:
    """The sentence without the name of a variable, which somebody in a browser didn't type."""
    words = error.sentence
    first, _, rest = words.partition(" ")
    return gettext("This %(rest)s", rest=rest) if first.startswith("ALMANAC_") and rest.startswith("must") else words


async def go_on(request: Request, step: str, flash: Flash | None = None) -> Response:
    """Lead to the next step; to the end after the last one."""
    progress = await setup_service.get_progress(get_state(request).services.setup)
    if progress.is_over:
        return redirect(request, "/organisation" if progress.dismissed else "/setup/end", flash)
    following = progress.after(step)
    while following is not None and following.name in {s.step.name for s in progress.steps if s.state == "done"}:
        following = progress.after(following.name)
    following = following or progress.next_step
    return redirect(request, f"/setup/{following.name}" if following else "/setup/end", flash)


async def render_step(
    request: Request,
    principal: Principal,
    step: str,
    *,
    errors: dict[str, str] | None = None,
    values: Mapping[str, object] | None = None,
    **more: object,
) -> Response:
    """The page of a step: what was typed, or else what is set."""
    services = get_state(request).services
    choices = services.setup.choices()
    progress = await setup_service.get_progress(services.setup)
    current = await _LOADERS[step](request, principal)
    names = [status.step.name for status in progress.steps]
    own = next(status.step for status in progress.steps if status.step.name == step)
    page = {
        "step": own,
        "number": names.index(step) + 1,
        "progress": progress,
        "links": [(status.step.title, f"/setup/{status.step.name}") for status in progress.steps],
        "states": [status.state if status.state == "done" else "" for status in progress.steps],
        "fixed": [choices[name] for name in own.settings if choices[name].fixed],
        "values": {**current, **(values or {})},
        "errors": errors or {},
        "version": services.setup.version(own.settings),
        "conflict": None,
        "failure": "",
        "hints": (),
        "missing": (),
        "trial": None,
    }
    template = f"setup/{step.replace('-', '_')}.html"
    status = 412 if more.get("conflict") else 422 if errors else 200
    return await render_page(request, template, status_code=status, **(page | more))


async def _load_person(request: Request, principal: Principal) -> dict[str, object]:
    user = await accounts.get_user(get_state(request).services.accounts, principal, principal.user_id)
    email = "" if user.email.endswith("@localhost") else user.email
    name = "" if user.name == accounts.FIRST_ADMIN_NAME else user.name
    return {"name": name, "email": email, "has_password": user.has_password}


async def _load_time_zone(request: Request, _principal: Principal) -> dict[str, object]:
    chosen = get_state(request).services.setup.choices()["time_zone"]
    is_guess = chosen.source == "default"
    return {
        "time_zone": machine_zone() or chosen.value if is_guess else chosen.value,
        "guess": is_guess,
    }


async def _load_address(request: Request, _principal: Principal) -> dict[str, object]:
    chosen = get_state(request).services.setup.choices()["base_url"]
    return {"base_url": chosen.value or guess_address(request), "other": False}


async def _load_mail(request: Request, principal: Principal) -> dict[str, object]:
    setup = get_state(request).services.setup
    current = setup.current()
    choice = MailChoice.from_settings(current.mail_url, current.mail_from)
    failure = await setup_service.get_last_failure(setup)
    return {
        "choice": choice,
        "trial": await setup_service.get_mail_trial(setup) if current.mail_url else None,
        "last_failure": failure,
        "last_hints": explain_mail_failure(failure) if failure else (),
        "has_password": bool(choice.user),
        "own": principal.email,
    }


async def _load_model(request: Request, _principal: Principal) -> dict[str, object]:
    setup = get_state(request).services.setup
    current, has_key = setup.current(), setup.choices()["llm_api_key"].is_set
    choice = ModelChoice.from_settings(current.llm_model, current.llm_base_url)
    return {"choice": choice, "providers": list(PROVIDERS.items()), "has_key": has_key}


async def _load_desks(request: Request, _principal: Principal) -> dict[str, object]:
    chosen = get_state(request).services.setup.current().enabled_desks
    return {"chosen": chosen, "desks": DESKS}


async def _load_content(request: Request, _principal: Principal) -> dict[str, object]:
    services, demo = get_state(request).services, make_demo()
    report = await demo.report(services)
    return {"loaded": report.summary, "loading": await demo.is_loading(services)}


async def _load_organisation(request: Request, _principal: Principal) -> dict[str, object]:
    return {"organisation": get_state(request).services.setup.choices()["organisation"].value or ""}


# What the form of each step shows before somebody types.
_LOADERS = {
    "organisation": _load_organisation,
    "you": _load_person,
    "time-zone": _load_time_zone,
    "address": _load_address,
    "mail": _load_mail,
    "model": _load_model,
    "desks": _load_desks,
    "content": _load_content,
}


def guess_address(request: Request) -> str:
    """The address under which this request came."""
    return f"{request.url.scheme}://{request.url.netloc}"


def make_demo() -> Demo:
    """The demo content of all desks."""
    return Demo({desk.name: desk.demo for desk in DESKS if desk.demo is not None})


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc

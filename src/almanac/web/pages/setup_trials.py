"""The steps of set-up that try something for real: a test message with a code, and a question to a model."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import AlmanacError, FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect
from almanac.kit.messages import gettext
from almanac.mail.port import MailDeferred, MailRefused, OutcomeUnknown
from almanac.setup import MailChoice, ModelChoice
from almanac.setup import service as setup_service
from almanac.setup.model import MISSING_HINTS, MailKind, explain_mail_failure
from almanac.web.pages.setup import go_on, plain_error, render_step, save_step

pages = APIRouter(prefix="/setup")

Administrator = Annotated[Principal, require("setup.manage")]


class MailSetupForm(BaseModel):
    """What the mail form sends."""

    kind: MailKind = "none"
    host: str = ""
    port: str = ""
    security: str = "starttls"
    user: str = ""
    password: str = ""
    sender: str = ""
    region: str = ""
    private: bool = False

    def choice(self) -> MailChoice:
        return MailChoice(**self.model_dump())


class ModelSetupForm(BaseModel):
    """What the model form sends."""

    provider: str = "none"
    model: str = ""
    key: str = ""
    base_url: str = ""
    private: bool = False

    def choice(self) -> ModelChoice:
        return ModelChoice(**self.model_dump())


@pages.post("/mail")
async def choose_mail(request: Request, principal: Administrator, form: Annotated[MailSetupForm, Form()]) -> Response:
    """Send a test message by the way that was chosen, and keep it once the mail server took the message."""
    services, choice = get_state(request).services, form.choice()
    if choice.kind == "none":
        return await save_step(request, principal, "mail", choice.to_settings(None))
    shown = {"choice": choice}
    try:
        await setup_service.send_test_mail(services.setup, principal, choice)
    except FieldErrors as error:
        return await render_step(request, principal, "mail", errors=error.fields, values=shown)
    except AlmanacError as error:
        sentence = plain_error(error)
        is_answer = isinstance(error, MailRefused | MailDeferred | OutcomeUnknown)
        hints = explain_mail_failure(sentence) if is_answer else ()
        return await render_step(
            request, principal, "mail", errors={"kind": sentence}, values=shown, failure=sentence, hints=hints
        )
    return redirect(
        request, "/setup/mail#code", Flash(gettext("A test message is on its way to %(email)s.", email=principal.email))
    )


@pages.post("/mail/code")
async def confirm_mail(request: Request, principal: Administrator, code: FormText = "") -> Response:
    """Confirm by its code that the test message was seen."""
    try:
        await setup_service.confirm_test_mail(get_state(request).services.setup, principal, code)
    except FieldErrors as error:
        return await render_step(request, principal, "mail", errors=error.fields)
    return await go_on(request, "mail", Flash(gettext("Mail works: you have seen the test message.")))


@pages.post("/mail/missing")
async def report_missing(request: Request, principal: Administrator) -> Response:
    """Note that the test message wasn't seen, and show what to check."""
    has_left = await setup_service.report_missing_mail(get_state(request).services.setup, principal)
    return await render_step(request, principal, "mail", missing=MISSING_HINTS if has_left else ())


@pages.post("/model")
async def choose_model(request: Request, principal: Administrator, form: Annotated[ModelSetupForm, Form()]) -> Response:
    """Ask the chosen model a real question, and keep the choice once it was answered."""
    services, choice = get_state(request).services, form.choice()
    if choice.provider == "none":
        return await save_step(request, principal, "model", choice.to_settings())
    try:
        trial = await setup_service.try_model(services.setup, principal, choice)
    except FieldErrors as error:
        return await render_step(request, principal, "model", errors=error.fields, values={"choice": choice})
    except AlmanacError as error:
        sentence = plain_error(error)
        return await render_step(
            request, principal, "model", errors={"provider": sentence}, values={"choice": choice}, failure=sentence
        )
    return await render_step(request, principal, "model", trial=trial)

"""The door for forms: what is too large, comes from another site's page or was filled in by a robot goes no further.

It knows no session, so there is none to misuse; the check of where a form comes from keeps other sites from sending
forms by the hands of their readers. Nothing that was typed is logged.
"""

import logging
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from almanac.errors import FieldErrors, InputError, NotAllowed, TooLarge, TooMany
from almanac.kit.messages import gettext
from almanac.public.forms import MISSING, FormGate, FormReceiver, PublicField, PublicForm, SentForm

LONGEST_BODY = 64 * 1024
MOST_FIELDS = 40
# People don't see this field and leave it empty; its name is one that robots like to fill in.
TRAP = "homepage"
_FORM = "application/x-www-form-urlencoded"
_FORM_IN_PARTS = "multipart/form-data"
_OWN_PAGES = frozenset({"same-origin", "none"})
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\ud800-\udfff]")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WrongForm(Exception):
    """Some texts are wrong: what was typed, and a sentence for each."""

    values: Mapping[str, str]
    errors: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormDoor:
    """Takes forms in. `origins` are the addresses that our own pages have, `caller_of` names a sender by a hash."""

    receivers: Mapping[str, FormReceiver]
    gate: FormGate
    origins: Collection[str]
    caller_of: Callable[[Request], str]

    async def take(self, request: Request, form: PublicForm, language: str, params: Mapping[str, str]) -> str:
        """Hand a form to its receiver; returns where to go on. WrongForm if texts must be corrected first."""
        self._check_origin(request)
        typed = await _read(request)
        values = {field.name: _tidy(field, typed.get(field.name, "")) for field in form.fields}
        if errors := _find_errors(form, values):
            raise WrongForm(values, errors)
        if typed.get(TRAP):
            log.info("a form was filled in by a robot", extra={"form": form.name})
            return form.done
        await self._count(request, form)
        try:
            path = await self.receivers[form.name](SentForm(language=language, params=params, values=values))
        except FieldErrors as error:
            raise WrongForm(values, error.fields) from error
        log.info("a form was taken", extra={"form": form.name})
        return form.done if path is None else path

    def _check_origin(self, request: Request) -> None:
        """A browser says where a form stands; other programs say nothing, and may send what anybody may send.

        Our pages tell nobody where a reader comes from, for which browsers call their origin null.
        """
        site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin", "null")
        if (site is not None and site not in _OWN_PAGES) or (origin != "null" and origin not in self.origins):
            raise NotAllowed("This form was sent from a page of another site.")

    async def _count(self, request: Request, form: PublicForm) -> None:
        if not form.per_hour:
            return
        wait = await self.gate.spend(form.name, self.caller_of(request), per_hour=form.per_hour, in_all=form.in_all)
        if wait:
            raise TooMany("Too many forms at once.", wait)


async def _read(request: Request) -> dict[str, str]:
    """The fields of a form; of a field that is sent twice the last.

    Mail programs that stop a mail by one click (RFC 8058) send a form in parts; that it came is all it says.
    """
    content_type = request.headers.get("Content-Type", _FORM).partition(";")[0].strip().lower()
    if content_type not in (_FORM, _FORM_IN_PARTS):
        raise NotAllowed("This isn't a form.")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_BODY:
                raise TooLarge("This form is too large.")
    except ClientDisconnect as error:
        raise NotAllowed("This form is incomplete.") from error
    if content_type == _FORM_IN_PARTS:
        return {}
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError as error:
        raise NotAllowed("This form can't be read.") from error
    return dict(pairs)


def _tidy(field: PublicField, text: str) -> str:
    """The text without characters that nobody types; a line is one line."""
    text = _CONTROLS.sub("", text.replace("\r\n", "\n")).strip()
    return text if field.many_lines else " ".join(text.split())


def _find_errors(form: PublicForm, values: Mapping[str, str]) -> dict[str, str]:
    """Every wrong field at once."""
    errors: dict[str, str] = {}
    for field in form.fields:
        text = values[field.name]
        if not text:
            errors |= {field.name: MISSING} if field.required else {}
        elif len(text) > field.most:
            errors[field.name] = gettext(
                "At most %(most)s characters; these are %(count)s.", most=field.most, count=len(text)
            )
        elif field.check is not None:
            try:
                field.check(text)
            except InputError as error:
                errors[field.name] = error.sentence
    return errors

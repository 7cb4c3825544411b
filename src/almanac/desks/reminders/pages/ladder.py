"""The form of the ladder's rules: levels and gaps, days of grace, and days without sending."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from almanac.desks.reminders import service
from almanac.desks.reminders.model.ladder import LadderRules, LevelRule
from almanac.desks.reminders.pages.form_values import parse_count_field
from almanac.desks.reminders.pages.layout import PREFIX, Reader, Writer, desk_page
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, make_conflict
from almanac.http.pages import parse_form_version, redirect_with_message
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/ladder")
SPARE_LEVELS = 1


class LadderForm(BaseModel):
    """The form fields that a browser sends; a level without a name is left out."""

    name: list[str] = Field(default_factory=list)
    none_within: list[str] = Field(default_factory=list)
    after_previous: list[str] = Field(default_factory=list)
    grace_days: str = "0"
    business_days_only: str = ""
    holidays: str = ""
    version: str = ""

    @classmethod
    def from_model(cls, rules: LadderRules) -> "LadderForm":
        """The form filled in with the rules."""
        return cls(
            name=[level.name for level in rules.levels],
            none_within=[str(level.none_within_days) for level in rules.levels],
            after_previous=[str(level.days_after_previous) for level in rules.levels],
            grace_days=str(rules.grace_days),
            business_days_only="yes" if rules.business_days_only else "",
            holidays="\n".join(str(day) for day in sorted(rules.holidays)),
            version=str(rules.version),
        )

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The levels, and an empty row for one more."""
        filled = [row for row in zip(self.name, self.none_within, self.after_previous, strict=False) if row[0].strip()]
        return [*filled, *[("", "7", "7")] * SPARE_LEVELS]

    @property
    def field_values(self) -> list[tuple[str, str]]:
        """Labels and values of the fields, to compare two versions."""
        levels = [
            gettext("%(name)s: not within %(within)s, after %(after)s days", name=name, within=within, after=after)
            for name, within, after in self.rows
            if name
        ]
        return [
            (gettext("Levels"), "; ".join(levels)),
            (gettext("Grace period"), self.grace_days),
            (gettext("Only on Monday to Friday"), self.business_days_only),
            (gettext("Days without reminders"), ", ".join(self.holidays.split())),
        ]

    def rules(self) -> LadderRules:
        """The rules in the form. FieldErrors if a field is invalid."""
        levels = [
            LevelRule(name.strip().lower(), parse_count_field(within, "levels"), parse_count_field(after, "levels"))
            for name, within, after in self.rows
            if name.strip()
        ]
        return LadderRules(
            levels=tuple(levels),
            grace_days=parse_count_field(self.grace_days, "grace_days"),
            business_days_only=bool(self.business_days_only),
            holidays=frozenset(_parse_days(self.holidays)),
        )


Sent = Annotated[LadderForm, Form()]


@router.get("")
async def show_ladder(request: Request, principal: Reader) -> Response:
    """Show the rules in force."""
    rules = await service.get_rules(get_state(request).services, principal)
    return await _show(request, LadderForm.from_model(rules))


@router.post("")
async def save_ladder(request: Request, principal: Writer, sent: Sent) -> Response:
    """Save the rules; unsent reminders follow them."""
    services = get_state(request).services
    try:
        await service.save_rules(services, principal, sent.rules(), expected=parse_form_version(sent.version))
    except FieldErrors as error:
        return await _show(request, sent, errors=error.fields, status=422)
    except StaleEdit:
        current = LadderForm.from_model(await service.get_rules(services, principal))
        merging = sent.model_copy(update={"version": current.version})
        conflict = await make_conflict(request, _differences(sent, current), current.version, request.url.path)
        return await _show(request, merging, conflict=conflict, status=412)
    return redirect_with_message(
        request, f"{PREFIX}/ladder", gettext("Ladder saved; it applies to all reminders not sent yet.")
    )


def _differences(sent: LadderForm, current: LadderForm) -> list[tuple[str, str, str]]:
    both = zip(sent.field_values, current.field_values, strict=True)
    return [(name, mine, saved) for (name, mine), (_, saved) in both if mine != saved]


async def _show(
    request: Request,
    form: LadderForm,
    *,
    errors: dict[str, str] | None = None,
    conflict: EditConflict | None = None,
    status: int = 200,
) -> Response:
    return await desk_page(
        request, "ladder", "ladder", status_code=status, form=form, errors=errors or {}, conflict=conflict
    )


def _parse_days(text: str) -> list[date]:
    try:
        return [date.fromisoformat(line.strip()) for line in text.split()]
    except ValueError:
        raise FieldErrors({"holidays": gettext("Enter one date per line, such as 2026-12-25.")}) from None

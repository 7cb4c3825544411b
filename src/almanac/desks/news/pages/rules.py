"""Rules that include, exclude or tag articles, with a preview of the stories that match."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.news.model.rules import NewsRule, RuleAction, RuleEdit, RuleFields
from almanac.desks.news.pages.layout import PREFIX, Reader, RowNumber, Writer, desk_page
from almanac.desks.news.service import articles, rules
from almanac.desks.news.service.articles import FoundStories, StoryFilter
from almanac.errors import AlmanacError, Conflict, FieldErrors, InputError, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, compare_fields, make_conflict
from almanac.http.pages import FormText, parse_form_version, redirect_with_message
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/rules")
HERE = f"{PREFIX}/rules"
ACTIONS = (
    (RuleAction.TAG, gettext("Tag matching articles")),
    (RuleAction.EXCLUDE, gettext("Exclude matching articles")),
    (RuleAction.INCLUDE, gettext("Include only matching articles")),
)
EDIT_LABELS = {
    "query": gettext("Articles that match"),
    "action": gettext("What it does"),
    "tag": gettext("Tag"),
    "name": gettext("Name"),
}
MAX_MATCHES = 10


class RuleForm(BaseModel):
    """The form as a browser sends it."""

    name: str = ""
    action: str = RuleAction.TAG
    query: str = ""
    tag: str = ""
    version: str = ""
    try_it: str = ""

    @classmethod
    def from_rule(cls, rule: NewsRule) -> "RuleForm":
        """The form filled with an existing rule."""
        return cls(name=rule.name, action=rule.action, query=rule.query, tag=rule.tag or "", version=str(rule.version))

    def in_words(self) -> dict[str, str]:
        """The fields as a person compares them."""
        return {**self.model_dump(), "action": dict(ACTIONS)[self.kind()]}

    def kind(self) -> RuleAction:
        return next((action for action in RuleAction if action == self.action), RuleAction.TAG)


Sent = Annotated[RuleForm, Form()]


@router.get("")
async def show_rules(request: Request, _principal: Reader) -> Response:
    """Every rule, and the form for a new one."""
    return await _show(request, RuleForm())


@router.post("")
async def add_rule(request: Request, principal: Writer, sent: Sent) -> Response:
    """Add a rule, or only preview which stories match it."""
    try:
        if sent.try_it:
            return await _show(request, sent, matches=await _find_matches(request, principal, sent.query))
        fields = RuleFields(name=sent.name, action=sent.kind(), query=sent.query, tag=sent.tag)
        rule = await rules.add_rule(get_state(request).services, principal, fields)
    except AlmanacError as error:
        return await _show(request, sent, problem=error)
    return redirect_with_message(
        request, HERE, gettext("Rule %(name)s added; it applies to articles read from now on.", name=rule.name)
    )


@router.get("/{number}/edit")
async def show_edit(request: Request, number: RowNumber, _principal: Writer) -> Response:
    """The form of an existing rule."""
    rule = await rules.get_rule(get_state(request).services, number)
    return await _show(request, RuleForm.from_rule(rule), rule=rule)


@router.post("/{number}/edit")
async def save_rule(request: Request, number: RowNumber, principal: Writer, sent: Sent) -> Response:
    """Save a rule, or only preview which stories match it."""
    services = get_state(request).services
    rule = await rules.get_rule(services, number)
    try:
        if sent.try_it:
            return await _show(request, sent, rule=rule, matches=await _find_matches(request, principal, sent.query))
        edit = RuleEdit(name=sent.name, action=sent.kind(), query=sent.query, tag=sent.tag)
        saved = await rules.edit_rule(services, principal, number, edit, expected=parse_form_version(sent.version))
    except StaleEdit:
        rows = compare_fields(EDIT_LABELS, sent.in_words(), RuleForm.from_rule(rule).in_words())
        conflict = await make_conflict(request, rows, rule.version, f"{HERE}/{number}/edit")
        merging = sent.model_copy(update={"version": str(rule.version)})
        return await _show(request, merging, rule=rule, conflict=conflict)
    except AlmanacError as error:
        return await _show(request, sent, rule=rule, problem=error)
    return redirect_with_message(
        request, HERE, gettext("Rule %(name)s saved; it applies to articles read from now on.", name=saved.name)
    )


@router.post("/{number}/switch")
async def switch_rule(request: Request, number: RowNumber, principal: Writer, to: FormText = "off") -> Response:
    """Switch a rule off, or on again."""
    edit = RuleEdit(is_active=to == "on")
    rule = await rules.edit_rule(get_state(request).services, principal, number, edit)
    on = rule.is_active
    words = gettext("Rule %(name)s is on.", name=rule.name) if on else gettext("Rule %(name)s is off.", name=rule.name)
    back = {"to": "off" if on else "on"}
    return redirect_with_message(request, HERE, words, undo=f"{HERE}/{number}/switch", fields=back)


@router.post("/{number}/delete")
async def delete_rule(request: Request, number: RowNumber, principal: Writer) -> Response:
    """Delete a rule; articles it has tagged or excluded stay so."""
    await rules.delete_rule(get_state(request).services, principal, number)
    return redirect_with_message(request, HERE, gettext("Rule deleted."))


async def _find_matches(request: Request, principal: Principal, query: str) -> FoundStories:
    if not query.strip():
        raise FieldErrors({"query": gettext("Enter a query for the articles.")})
    which = StoryFilter(words=query)
    return await articles.find_articles(get_state(request).services, principal, which, limit=MAX_MATCHES)


async def _show(
    request: Request,
    form: RuleForm,
    *,
    rule: NewsRule | None = None,
    problem: AlmanacError | None = None,
    matches: FoundStories | None = None,
    conflict: EditConflict | None = None,
) -> Response:
    """The list of rules with the form for a new one, or the form of one rule."""
    services = get_state(request).services
    return await desk_page(
        request,
        "rules",
        "rule_form" if rule else "rules",
        status_code=412 if conflict else problem.status if problem else 200,
        conflict=conflict,
        rules=[] if rule else await rules.list_rules(services),
        rule=rule,
        form=form,
        errors=_errors(problem),
        found=matches,
        actions=ACTIONS,
    )


def _errors(problem: AlmanacError | None) -> dict[str, str]:
    """Error messages by field."""
    match problem:
        case None:
            return {}
        case FieldErrors():
            return dict(problem.fields)
        case Conflict():
            return {"name": problem.sentence}
        case InputError():
            return {"query": problem.sentence}
    raise problem

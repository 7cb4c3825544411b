"""Rules that take, leave out or tag articles, each tried against the stories that are here before it counts."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.news import service
from almanac.desks.news.model.rules import NewsRule, RuleAction, RuleEdit, RuleFields
from almanac.desks.news.pages.layout import PREFIX, Editor, Number, Reader, desk_page
from almanac.desks.news.service.articles import FoundStories, StoryFilter
from almanac.errors import AlmanacError, Conflict, FieldErrors, InputError, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, parse_form_version, redirect_with_message

router = APIRouter(prefix=PREFIX + "/rules")
HERE = f"{PREFIX}/rules"
ACTIONS = (
    (RuleAction.TAG, "Give a tag to what matches"),
    (RuleAction.EXCLUDE, "Leave out what matches"),
    (RuleAction.INCLUDE, "Take only what matches"),
)
MATCHES = 10


class RuleForm(BaseModel):
    """The form as a browser sends it."""

    name: str = ""
    action: str = RuleAction.TAG
    query: str = ""
    tag: str = ""
    version: str = ""
    try_it: str = ""

    @classmethod
    def of(cls, rule: NewsRule) -> "RuleForm":
        """The form as it is for a rule that there is."""
        return cls(name=rule.name, action=rule.action, query=rule.query, tag=rule.tag or "", version=str(rule.version))

    def kind(self) -> RuleAction:
        return next((one for one in RuleAction if one == self.action), RuleAction.TAG)


Sent = Annotated[RuleForm, Form()]


@router.get("")
async def show_rules(request: Request, _principal: Reader) -> Response:
    """Every rule, and the form for another."""
    return await _show(request, RuleForm())


@router.post("")
async def add(request: Request, principal: Editor, sent: Sent) -> Response:
    """Add a rule, or only show which stories it means."""
    try:
        if sent.try_it:
            return await _show(request, sent, found=await _matching(request, principal, sent.query))
        rule = RuleFields(name=sent.name, action=sent.kind(), query=sent.query, tag=sent.tag)
        made = await service.add_rule(get_state(request).services, principal, rule)
    except AlmanacError as error:
        return await _show(request, sent, problem=error)
    return redirect_with_message(request, HERE, f"The rule {made.name} counts for what is read from now on.")


@router.get("/{number}/edit")
async def show_edit(request: Request, number: Number, _principal: Editor) -> Response:
    """The form as the rule is."""
    rule = await service.get_rule(get_state(request).services, number)
    return await _show(request, RuleForm.of(rule), rule=rule)


@router.post("/{number}/edit")
async def save(request: Request, number: Number, principal: Editor, sent: Sent) -> Response:
    """Save the form, or only show which stories the rule would mean."""
    services = get_state(request).services
    rule = await service.get_rule(services, number)
    try:
        if sent.try_it:
            return await _show(request, sent, rule=rule, found=await _matching(request, principal, sent.query))
        edit = RuleEdit(name=sent.name, action=sent.kind(), query=sent.query, tag=sent.tag)
        saved = await service.edit_rule(services, principal, number, edit, expected=parse_form_version(sent.version))
    except AlmanacError as error:
        return await _show(request, sent, rule=rule, problem=error)
    return redirect_with_message(
        request, HERE, f"The rule {saved.name} counts as it is now for what is read from now on."
    )


@router.post("/{number}/switch")
async def switch(request: Request, number: Number, principal: Editor, to: FormText = "off") -> Response:
    """Switch a rule off, or on again."""
    edit = RuleEdit(is_active=to == "on")
    rule = await service.edit_rule(get_state(request).services, principal, number, edit)
    return redirect_with_message(request, HERE, f"The rule {rule.name} is {'on' if rule.is_active else 'off'}.")


@router.post("/{number}/delete")
async def delete(request: Request, number: Number, principal: Editor) -> Response:
    """Remove a rule; what it did stays."""
    await service.delete_rule(get_state(request).services, principal, number)
    return redirect_with_message(request, HERE, "The rule is deleted.")


async def _matching(request: Request, principal: Principal, query: str) -> FoundStories:
    if not query.strip():
        raise FieldErrors({"query": "Say which articles are meant."})
    which = StoryFilter(words=query)
    return await service.find_articles(get_state(request).services, principal, which, limit=MATCHES)


async def _show(
    request: Request,
    form: RuleForm,
    *,
    rule: NewsRule | None = None,
    problem: AlmanacError | None = None,
    found: FoundStories | None = None,
) -> Response:
    """The rules with the form for another one, or the form of one."""
    services = get_state(request).services
    return await desk_page(
        request,
        "rules",
        "rule_form" if rule else "rules",
        status_code=problem.status if problem else 200,
        rules=[] if rule else await service.list_rules(services),
        rule=rule,
        form=form,
        errors=_errors(problem),
        found=found,
        actions=ACTIONS,
    )


def _errors(problem: AlmanacError | None) -> dict[str, str]:
    """What is wrong, by the field that it is about."""
    match problem:
        case None:
            return {}
        case FieldErrors():
            return dict(problem.fields)
        case StaleEdit() | Conflict():
            return {"name": problem.sentence}
        case InputError():
            return {"query": problem.sentence}
    raise problem

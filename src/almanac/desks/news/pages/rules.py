"""Rules that take, leave out or tag articles, each tried against the stories that are here before it counts."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.news import service
from almanac.desks.news.model.rules import Action
from almanac.desks.news.pages.frame import PREFIX, Editor, Number, Reader, desk_page
from almanac.desks.news.service.articles import ArticleFilter, FoundArticles
from almanac.errors import Conflict, FieldErrors, InputError
from almanac.http.forms import Word, back_to
from almanac.http.surface import surface_of

router = APIRouter(prefix=PREFIX + "/rules")
HERE = f"{PREFIX}/rules"
ACTIONS = (
    (Action.TAG, "Give a tag to what matches"),
    (Action.EXCLUDE, "Leave out what matches"),
    (Action.INCLUDE, "Take only what matches"),
)
MATCHES = 10


@router.get("")
async def show_rules(request: Request, _principal: Reader) -> Response:
    """Every rule, and the form for another."""
    return await _show(request, {})


@router.post("")
async def add(
    request: Request, principal: Editor, name: Word = "", action: Word = "tag", query: Word = "", tag: Word = "",
    try_it: Word = "",
) -> Response:  # fmt: skip
    """Add a rule, or only show which stories it means."""
    typed = {"name": name, "action": action, "query": query, "tag": tag}
    try:
        if try_it:
            return await _show(request, typed, found=await _matching(request, principal, query))
        kind = next((one for one in Action if one == action), Action.TAG)
        made = await service.add_rule(
            surface_of(request).services, principal, name=name, action=kind, query=query,
            tag=tag if kind == Action.TAG else None,
        )  # fmt: skip
    except FieldErrors as error:
        return await _show(request, typed, errors=error.fields)
    except Conflict as error:
        return await _show(request, typed, errors={"name": error.sentence})
    except InputError as error:
        return await _show(request, typed, errors={"query": error.sentence})
    return back_to(request, HERE, f"The rule {made.name} counts for what is read from now on.")


@router.post("/{number}/delete")
async def delete(request: Request, number: Number, principal: Editor) -> Response:
    """Remove a rule; what it did stays."""
    await service.delete_rule(surface_of(request).services, principal, number)
    return back_to(request, HERE, "The rule is deleted.")


async def _matching(request: Request, principal: Principal, query: str) -> FoundArticles:
    if not query.strip():
        raise FieldErrors({"query": "Say which articles are meant."})
    which = ArticleFilter(words=query)
    return await service.find_articles(surface_of(request).services, principal, which, limit=MATCHES)


async def _show(
    request: Request, typed: dict[str, str], *, errors: dict[str, str] | None = None,
    found: FoundArticles | None = None,
) -> Response:  # fmt: skip
    listed = await service.list_rules(surface_of(request).services)
    return await desk_page(
        request, "rules", "rules", status_code=422 if errors else 200, rules=listed, typed=typed, errors=errors or {},
        found=found, actions=ACTIONS,
    )  # fmt: skip

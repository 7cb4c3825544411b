"""Error pages in the reader's language, at desks that speak it; anywhere else they are in English.

A sentence that a desk raises is English: in another language its status is told instead.
"""

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request

from almanac.accounts.model import Principal
from almanac.http.languages import Phrases, Wording
from almanac.http.problems import Problem
from almanac.http.surface import surface_of

PHRASES = Phrases.load(Path(str(files("almanac.http"))) / "words", ("en", "ja"))


def wording_for(request: Request, principal: Principal | None) -> Wording:
    """The words for whoever meets an error here."""
    here = "/" + request.url.path.split("/")[1]
    spoken = next((desk.languages for desk in surface_of(request).desks if desk.path == here), ())
    wanted = PHRASES.for_reader(request, principal)
    return wanted if wanted.language in spoken else PHRASES.into("en")


def told_in(wording: Wording, problem: Problem) -> Problem:
    """The problem in the words of a language; what has none there stays as it is."""
    if not wording.has(f"{problem.status}_title"):
        return problem
    title, detail = wording(f"{problem.status}_title"), wording(f"{problem.status}_detail")
    return replace(problem, title=title, detail=detail, fields={})

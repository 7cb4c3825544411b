"""The walk: every route, as every role, with each single right at each desk, by teams, and with desks switched off.

What is expected is computed here from the route's declared permission and from what the visitor was given, so a route
that asks for less or a rule that gives more shows. The number of requests follows from docs/reference/routes.md: a
route that is missing in the walk, or in the list, changes it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from almanac.accounts import service as accounts
from almanac.accounts import team_store
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import ACTIONS, DESKS, PLATFORM_PERMISSIONS, Role, role_permissions
from almanac.http.auth import Guard, route_guard

ROUTES = Path(__file__).parents[3] / "docs/reference/routes.md"
DOCUMENTED = re.compile(r"^\| `((?:[A-Z]+ )+)(/\S*)` \| ([^|]+) \|", re.MULTILINE)
# Signing out would end the walk, and a live stream has no end of its own once one gets in.
ENDS_THE_WALK, ENDLESS = "/sign-out", ("/live", "/recap/tasks/live")
ONLY_IN_DEVELOPMENT = {"/styleguide"}
OF_MEMBERS = role_permissions(Role.MEMBER) & PLATFORM_PERMISSIONS.keys()


@dataclass(frozen=True)
class Way:
    """A request that the walk makes: a method and a path with every parameter filled."""

    method: str
    path: str
    url: str
    permissions: frozenset[str] | None

    def allows(self, held):
        return self.permissions is None or bool(self.permissions & held)


def guarded_paths():
    """Each guarded method and path of the reviewed list; a path with `{desk}` is visited for every desk."""
    rows = DOCUMENTED.findall(ROUTES.read_text("utf-8"))
    guarded = [(methods, path) for methods, path, need in rows if need != "nothing" and not need.startswith("anyone")]
    ways = [(method, path) for methods, path in guarded for method in methods.split()]
    return [(method, path) for method, path in ways if path != ENDS_THE_WALK]


def count_documented():
    return sum(len(DESKS) if "{desk}" in path else 1 for _, path in guarded_paths())


def filled(path, desk):
    path = path.replace("{desk}", desk)
    return re.sub(r"\{(\w+)[^}]*\}", lambda m: "999999" if m[1] == "job_id" else "no-such-thing", path)


def asked_for(guard, desk):
    if guard.permission is None:
        return None
    return frozenset({guard.permission, *([f"desk.{desk}.{guard.at_desk}"] if guard.at_desk else [])})


@pytest.fixture
def ways(routes):
    """Every guarded way into the application that documentation lists."""
    guards = [(route, guard) for route in routes if isinstance(guard := route_guard(route), Guard)]
    made = [
        Way(method, route.path, filled(route.path, desk), asked_for(guard, desk))
        for route, guard in guards
        if route.path not in {ENDS_THE_WALK, *ONLY_IN_DEVELOPMENT}
        for method in route.methods
        for desk in (DESKS if "{desk}" in route.path else DESKS[:1])
    ]
    assert len(made) == count_documented()
    return made


async def walk(visitor, ways, held):
    """Make every request but those of open streams; returns how many there are, all answered as permissions say."""
    visitor.http.follow_redirects = False
    headers = {"X-CSRF-Token": await visitor.csrf()}
    skipped = asked = 0
    for way in ways:
        allowed = way.allows(held)
        if allowed and way.path in ENDLESS:
            skipped += 1
            continue
        answer = await visitor.http.request(way.method, way.url, headers=headers)
        asked += 1
        answered = f"{way.method} {way.url}: {answer.status_code} {answer.text[:200]}"
        assert (answer.status_code == 403) is not allowed, answered
        assert answer.status_code < 500, answered
    return asked + skipped


def ways_at(ways, desk):
    """The ways that ask for a right at the desk: the walk without any right at desks made the rest of them."""
    concerned = [way for way in ways if way.permissions and any(p.startswith(f"desk.{desk}.") for p in way.permissions)]
    assert len(concerned) > 20
    return concerned


async def shut_out(services, user):
    """Take everything at every desk from a person, so that what follows is all they have."""
    async with services.database.unit() as unit:
        for desk in DESKS:
            await team_store.set_own_rights(unit, user.id, desk, [], services.clock.now())


@pytest.mark.parametrize("role", list(Role))
async def test_a_role_gets_exactly_where_its_permissions_lead(ways, signed_in, role):
    asked = await walk(await signed_in(role), ways, role_permissions(role))
    assert asked == count_documented()


@pytest.mark.parametrize("role", list(Role))
async def test_without_rights_at_desks_a_role_gets_to_the_platform_only(ways, signed_in, services, role):
    visitor = await signed_in(role)
    await shut_out(services, visitor.user)
    await walk(visitor, ways, role_permissions(role) & PLATFORM_PERMISSIONS.keys())


@pytest.mark.parametrize("desk", DESKS)
@pytest.mark.parametrize("action", ACTIONS)
async def test_a_single_right_opens_exactly_its_routes(ways, signed_in, services, desk, action):
    visitor = await signed_in(Role.MEMBER)
    await shut_out(services, visitor.user)
    await accounts.set_own_rights(services.accounts, CONSOLE, visitor.user.id, desk, [action])
    with_it = {action, "read"}
    concerned = ways_at(ways, desk)
    asked = await walk(visitor, concerned, OF_MEMBERS | {f"desk.{desk}.{right}" for right in with_it})
    assert asked == len(concerned)


@pytest.mark.parametrize("desk", DESKS)
async def test_a_teams_rights_open_its_members_that_desk(ways, signed_in, services, desk):
    visitor = await signed_in(Role.MEMBER)
    await shut_out(services, visitor.user)
    team = await accounts.create_team(services.accounts, CONSOLE, name="Team")
    await accounts.set_team_rights(services.accounts, CONSOLE, team.id, desk, ACTIONS)
    await accounts.add_team_member(services.accounts, CONSOLE, team.id, visitor.user.id)
    concerned = ways_at(ways, desk)
    held = OF_MEMBERS | {f"desk.{desk}.{action}" for action in ACTIONS}
    assert await walk(visitor, concerned, held) == len(concerned)

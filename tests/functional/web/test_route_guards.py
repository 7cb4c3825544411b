"""Every route of the application declares its permission and rejects everybody else."""

import re
from pathlib import Path

import pytest

from almanac.http.auth import Guard, PublicGuard, route_guard

SECURITY_HEADERS = {
    "content-security-policy",
    "x-content-type-options",
    "x-frame-options",
    "referrer-policy",
    "cross-origin-opener-policy",
    "permissions-policy",
}
ROUTES = Path(__file__).parents[3] / "docs/reference/routes.md"
ONLY_IN_DEVELOPMENT = {("GET", "/styleguide")}
OPEN = {"/healthz", "/readyz", "/metrics"}
PUBLIC = {
    "/manifest.webmanifest",
    "/service-worker.js",
    "/offline",
    "/sign-in",
    "/sign-in/forgotten",
    "/sign-in/single",
    "/sign-in/single/return",
    "/link/{token}",
    "/sign-in/passkey",
    "/sign-in/passkey/begin",
    "/sign-in/second",
    "/sign-in/second/passkey",
    "/sign-in/second/passkey/begin",
    "/unsubscribe/{token}",
    "/feeds/{token}.{form}",
    "/api/docs",
    "/api/v1/mail/events",
    "/api/v1/mail/events/ses",
    "/api/v1/reminders/events/mail",
    "/api/v1/reminders/events/ses",
    "/api/v1/reminders/events/reply",
    "/api/v1/reminders/events/payment",
    "/reminders/opt-out/{token}",
    "/habits/do/{token}",
}


@pytest.fixture
def guarded(routes):
    return [(route, route_guard(route)) for route in routes if isinstance(route_guard(route), Guard)]


def documented_ways(needs=None):
    """Each method and path of the reviewed list of the private side, perhaps only those that need this."""
    rows = re.findall(r"^\| `((?:[A-Z]+ )+)(/\S*)` \| ([^|]+) \|", ROUTES.read_text("utf-8"), re.MULTILINE)
    private = [row for row in rows if not row[2].startswith("anyone")]
    return {(method, path) for methods, path, need in private for method in methods.split() if needs in (None, need)}


def filled(path):
    return re.sub(r"\{(\w+)[^}]*\}", lambda m: "999999" if m[1] == "job_id" else "no-such-thing", path)


def test_every_route_declares_who_may_use_it(routes):
    silent = {route.path for route in routes if route_guard(route) is None}
    assert silent == OPEN


def test_only_the_listed_routes_are_open_to_everybody(routes):
    assert {route.path for route in routes if isinstance(route_guard(route), PublicGuard)} == PUBLIC


def test_the_walk_sees_exactly_the_documented_routes(routes):
    """docs/reference/routes.md is the reviewed list: a route that appears or vanishes shows up in its diff."""
    walked = [(method, route.path) for route in routes for method in route.methods]
    assert len(walked) == len(set(walked)), "two routes answer the same request"
    assert set(walked) - ONLY_IN_DEVELOPMENT == documented_ways()


async def test_nobody_gets_anywhere(guarded, nobody):
    asked = 0
    for route, _ in guarded:
        for method in route.methods:
            asked += 1
            answer = await nobody.http.request(method, filled(route.path))
            page_to_sign_in = answer.status_code == 303 and answer.headers["location"].startswith("/sign-in")
            assert answer.status_code == 401 or page_to_sign_in, f"{method} {route.path}: {answer.status_code}"
            assert set(answer.headers) >= SECURITY_HEADERS, f"{method} {route.path}"
    assert asked == len(documented_ways()) - len(documented_ways(needs="nothing")) + len(ONLY_IN_DEVELOPMENT)


async def test_a_forged_token_is_refused_everywhere(guarded, visit):
    client = visit(headers={"Authorization": "Bearer almt_forged"})
    for route, _ in guarded:
        if route.path.startswith("/api/"):
            for method in route.methods:
                assert (await client.request(method, filled(route.path))).status_code == 401


async def test_a_token_reaches_only_what_its_scopes_let_through(api, visit):
    made = await api.post("/api/v1/users", json={"email": "ada@example.org", "name": "Ada", "role": "admin"})
    wish = {"name": "reader", "scopes": ["read"], "owner_id": made.json()["id"]}
    secret = (await api.post("/api/v1/tokens", json=wish)).json()["secret"]
    reader = visit(headers={"Authorization": f"Bearer {secret}"})
    assert (await reader.get("/api/v1/jobs")).status_code == 200
    refused = await reader.get("/api/v1/users")
    assert refused.status_code == 403
    assert "lacks the scope" in refused.json()["detail"]

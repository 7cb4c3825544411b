"""The permissions that each part of the application requires, listed independently of the routes.

The walk as each role trusts what a route declares; this test notices a route that declares less than before.
"""

import re

import pytest

from almanac.http.auth import Guard, route_guard

SAFE = {"GET", "HEAD"}
# By the first word of a path: what reading there asks for, and what changing something does.
RIGHTS = {
    "news": ("desk.news.read", "desk.news.write"),
    "recap": ("desk.recap.read", "desk.recap.write"),
    "newsletter": ("desk.newsletter.read", "desk.newsletter.write"),
    "newsletters": ("desk.newsletter.read", "desk.newsletter.write"),
    "knowledge": ("desk.newsletter.read", "desk.newsletter.write"),
    "reminders": ("desk.reminders.read", "desk.reminders.write"),
    "habits": ("desk.habits.read", "desk.habits.write"),
    "saved": ("saved.read", "saved.own"),
    "saved-queries": ("saved.read", "saved.own"),
    "jobs": ("jobs.read", "jobs.retry"),
    "failures": (None, "account.own"),
    "queues": ("jobs.read", "jobs.retry"),
    "schedules": ("jobs.read", "jobs.retry"),
    "live": ("jobs.read", "jobs.read"),
    "mail": ("mail.read", "mail.settle"),
    "audit": ("audit.read", "audit.read"),
    "models": ("models.read", "models.read"),
    "people": ("users.manage", "users.manage"),
    "teams": ("users.manage", "users.manage"),
    "desks": ("users.manage", "users.manage"),
    "subscribers": ("users.manage", "users.manage"),
    "users": ("users.manage", "users.manage"),
    "setup": ("setup.manage", "setup.manage"),
    "organisation": ("setup.manage", "setup.manage"),
    "webhooks": ("webhooks.manage", "webhooks.manage"),
    "tokens": ("tokens.own", "tokens.own"),
    "account": ("account.own", "account.own"),
    "language": ("account.own", "account.own"),
    "account/tokens": ("tokens.own", "tokens.own"),
    "me": ("account.own", "account.own"),
    "tour": ("account.own", "account.own"),
}
# Deciding about a reminder and sending it are rights of their own.
DECIDING = re.compile(
    r"(/api/v1)?/reminders/(drafts/(\{draft_id\}/)?|review/?|together/\{batch\}/)(approve|reject|snooze|reopen|undo|)"
)
SENDING = re.compile(r"(/api/v1)?/reminders/drafts/\{draft_id\}/(send|settle)")
# Showing something to everybody needs more than the right to write it.
PUBLISHING = {
    re.compile(r"(/api/v1/newsletters|/newsletter)/\{code\}/archive(/withdraw)?"): "desk.newsletter.send",
    re.compile(r"/api/v1/saved-queries/\{saved_id\}/publication|/saved/\{saved_id\}/publish"): "saved.publish",
}
# Everybody may make their own query private again.
FOR_OWNERS = {"DELETE /api/v1/saved-queries/{saved_id}/publication"}
# What follows shows or changes only what is one's own, or asks by itself for the right at the desk in question.
FOR_EVERYBODY = {
    "GET /",
    "GET /api/v1/home",
    "GET /api/v1/me",
    "GET /api/v1/users/{user_id}",
    "GET /api/v1/users/{user_id}/rights",
    "GET /search",
    "GET /palette",
    "GET /why",
    "GET /api/v1/why",
    "GET /shortcuts",
    "GET /help",
    "GET /help/images/{name}",
    "GET /help/{name:path}",
    "GET /api/v1/search",
    "GET /approvals",
    "GET /approvals/{approval_id}",
    "GET /api/v1/approvals",
    "GET /api/v1/approvals/history",
    "GET /api/v1/approvals/{approval_id}",
    "POST /approvals/{approval_id}/approve",
    "POST /approvals/{approval_id}/reject",
    "POST /api/v1/approvals/{approval_id}/approve",
    "POST /api/v1/approvals/{approval_id}/reject",
    "POST /api/v1/verify",
    "POST /sign-out",
    "GET /styleguide",
}
# A preview changes nothing, and whoever reads may report an error in what they read, and follow it.
FOR_READERS = {
    "POST /api/v1/habits/{habit_id}/preview",
    "POST /api/v1/reminders/templates/{template_id}/preview",
    "POST /api/v1/recap/articles/{article_id}/reports",
    "POST /recap/articles/{article_id}/report",
    "POST /recap/follow",
    "POST /recap/unfollow",
}


def place_of(path):
    words = path.removeprefix("/api/v1").strip("/").split("/")
    whole = "/".join(words[:2])
    return whole if whole in RIGHTS else words[0]


def rights_for(method, path):
    """The rights of which a route must ask for one; a page with a form may ask for what sending the form will."""
    way = f"{method} {path}"
    if way in FOR_EVERYBODY:
        return {None}
    reading, changing = RIGHTS[place_of(path)]
    if method in SAFE:
        return {reading, changing}
    if way not in FOR_OWNERS:
        for publishing, right in PUBLISHING.items():
            if publishing.fullmatch(path):
                return {right}
    if SENDING.fullmatch(path):
        return {"desk.reminders.send"}
    if DECIDING.fullmatch(path) and method == "POST":
        return {"desk.reminders.approve"}
    return {reading} if way in FOR_READERS else {changing}


@pytest.fixture
def asked(routes):
    """Each way into the application, and the permission that it asks for."""
    return {
        (method, route.path): guard.permission
        for route in routes
        if isinstance(guard := route_guard(route), Guard)
        for method in route.methods
    }


def test_no_route_asks_for_less_than_its_place(asked):
    assert len(asked) > 400
    wrong = [
        f"{method} {path}: {right}" for (method, path), right in asked.items() if right not in rights_for(method, path)
    ]
    assert not wrong, "\n".join(sorted(wrong))


def test_every_exception_is_a_route(asked):
    assert {f"{method} {path}" for method, path in asked} >= FOR_EVERYBODY | FOR_READERS


def test_only_rights_at_a_desk_are_given_by_its_administrators(routes):
    """These routes ask for a right at the desk in their path as an alternative; the walk visits them for each desk."""
    given = {
        f"{method} {route.path}": guard.at_desk
        for route in routes
        if isinstance(guard := route_guard(route), Guard) and guard.at_desk
        for method in route.methods
    }
    assert set(given.values()) == {"administer"}
    assert set(given) == {
        "GET /desks/{desk}/rights",
        "POST /desks/{desk}/rights/people/{user_id}",
        "POST /desks/{desk}/rights/teams/{team_id}",
        "PUT /api/v1/users/{user_id}/rights/{desk}",
        "PUT /api/v1/teams/{team_id}/rights/{desk}",
    }

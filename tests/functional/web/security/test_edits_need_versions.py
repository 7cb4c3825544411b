"""Every route that edits something requires the version that was read, so that two tabs can't overwrite each other."""

import pytest

from almanac.http.auth import route_guard

EDITS = {"PUT", "PATCH"}
# What is written here is whole, and nothing of it rests on what was read before: the last word stands.
LAST_WORD_STANDS = {
    "PUT /api/v1/habits/settings": "each choice is one value, and what is left out stays as it is",
    "PUT /api/v1/saved-queries/{saved_id}/alert": "when to be told: one choice, given whole",
    "PUT /api/v1/knowledge/{source_id}/visibility": "one word of two",
    "PUT /api/v1/newsletters/{code}/draft/sentences/{key}/confirmation": "the key is a hash of what was read",
    "PUT /api/v1/newsletters/{code}/draft/sentences/{key}/own": "the key is a hash of what was read",
    "PUT /api/v1/newsletters/{code}/sentences/{key}/verdict": "the key is a hash of what was read",
    "PUT /api/v1/news/articles/{link_id}/sentences/{key}/verdict": "the key is a hash of what was read",
    "PUT /api/v1/recap/articles/{article_id}/sentences/{key}/verdict": "the key is a hash of what was read",
    "PUT /api/v1/me/notifications/addresses/{channel}": "one address, given whole; it can't be read",
    "PUT /api/v1/users/{user_id}/rights/{desk}": "the rights at one desk, given whole",
    "PUT /api/v1/teams/{team_id}/rights/{desk}": "the rights at one desk, given whole",
    "PUT /api/v1/teams/{team_id}/members/{user_id}": "somebody is in a team or isn't",
}
# A program may write a day's words without having read them; whoever has read them names them, as our page does.
OF_ONES_CHOICE = {"PUT /api/v1/habits/{habit_id}/notes/{date}"}
VERSION_MISSING, NO_VERSION = 428, 400


def takes_a_version(way):
    return any(parameter.alias == "If-Match" for parameter in way.route.dependant.header_params)


@pytest.fixture
def edits(ways):
    return [way for way in ways if way.is_api and way.method in EDITS and route_guard(way.route)]


def test_every_edit_takes_the_version_that_was_read(edits):
    assert len(edits) > 15
    assert {str(way) for way in edits if not takes_a_version(way)} == set(LAST_WORD_STANDS)


@pytest.mark.parametrize(("given", "status"), [({}, VERSION_MISSING), ({"If-Match": "*"}, NO_VERSION)])
async def test_an_edit_that_names_no_version_is_refused(edits, api, bodies, given, status):
    for way in edits:
        if str(way) not in LAST_WORD_STANDS.keys() | OF_ONES_CHOICE:
            answer = await api.request(way.method, way.to(rule_id="1"), json=bodies.body_of(way), headers=given)
            assert answer.status_code == status, f"{way}: {answer.status_code} {answer.text[:200]}"

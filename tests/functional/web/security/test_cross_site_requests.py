"""CSRF: no route changes anything for a request from another site in a signed-in browser."""

import pytest

from almanac.http.auth import Guard, PublicGuard, route_guard

SAFE = {"GET", "HEAD"}
JSON_AS_TEXT, FORM = "text/plain", "application/x-www-form-urlencoded"
FILES = "multipart/form-data; boundary=x"
# What a page of another site can send without asking first; the body of a form that is one in name only is read too.
BODIES = {
    JSON_AS_TEXT: b'{"name": "x", "ids": [1], "=": ""}',
    FORM: b"name=x&csrf_token=guessed.0000",
    FILES: b'--x\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\nguessed.00\r\n--x--\r\n',
}


def changing(ways, kind):
    return [way for way in ways if way.method not in SAFE and isinstance(route_guard(way.route), kind)]


@pytest.mark.parametrize("content_type", BODIES)
async def test_no_route_takes_a_cookie_without_the_token_of_our_pages(ways, admin, content_type):
    result = changing(ways, Guard)
    assert len(result) > 200
    admin.http.follow_redirects = False
    for way in result:
        answer = await admin.http.request(
            way.method, way.to(), content=BODIES[content_type], headers={"Content-Type": content_type}
        )
        assert answer.status_code == 403, f"{way}: {answer.status_code}"
        assert "This form is no longer valid and nothing was changed" in answer.text, str(way)
    assert (await admin.get("/account")).status_code == 200, "the walk signed out"


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}], ids=str
)
async def test_no_open_route_takes_a_form_from_another_site(ways, nobody, headers):
    result = changing(ways, PublicGuard)
    assert len(result) >= 10
    for way in result:
        answer = await nobody.http.request(way.method, way.to(), headers=headers, data={"email": "a@example.org"})
        assert answer.status_code == 403, f"{way}: {answer.status_code}"
        assert "came from another site" in answer.text, str(way)


async def test_reading_is_no_deed(admin, ways):
    """A link or an image of another site makes a browser read with its cookie, and needs no token for it."""
    before = (await admin.get("/api/v1/audit")).json()["items"]
    admin.http.follow_redirects = False
    for way in ways:
        if way.method == "GET" and not way.path.endswith("/live"):
            await admin.get(way.to())
    after = (await admin.get("/api/v1/audit")).json()["items"]
    # That the log was exported is noted in the log, and changes nothing else.
    assert [entry for entry in after if entry["action"] != "audit.exported"] == before

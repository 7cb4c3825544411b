"""Requests made to break something: injected headers, foreign destinations, absurd sizes and depths, hostile names."""

import io
import re
import tarfile
import zipfile

import pytest

SECURITY_HEADERS = {
    "content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy",
    "cross-origin-opener-policy", "permissions-policy",
}  # fmt: skip
PASSWORD = "violet tramway under snow"
LINE_BREAKS = "Ada\r\nBcc: everybody@example.org\r\n\r\nSpam"
MEGABYTE = 1024 * 1024


async def test_every_answer_carries_the_security_headers(ways, nobody, admin, api):
    for way in ways:
        answer = await nobody.http.request(way.method, way.to())
        assert set(answer.headers) >= SECURITY_HEADERS, way
    for answer in (
        await api.get("/api/v1/nothing"), await api.delete("/api/v1/me"), await api.post("/api/v1/users", content=b"{"),
        await nobody.get("/static/nothing"), await nobody.get("/%00"), await admin.get("/nothing"),
        await api.post("/api/v1/users", content=b"x" * 2 * MEGABYTE),
    ):  # fmt: skip
        assert answer.status_code >= 400
        assert set(answer.headers) >= SECURITY_HEADERS, answer.url


JSON, FORM, FILES = "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"


async def refusal(client, way, headers):
    """The first refusal of a large body, sent in each way that the route might read; the rest it ignores."""
    for kind in (JSON, FILES) if way.is_api else (FORM, FILES):
        sent = {**headers, "Content-Type": kind}
        answer = await client.request(way.method, way.to(), content=b" " * (MEGABYTE + 1), headers=sent)
        if answer.status_code == 413:
            return answer.text
    return f"answered with {answer.status_code}"


async def test_every_route_that_takes_a_body_refuses_one_that_is_too_large(ways, admin, api):
    csrf = {"X-CSRF-Token": await admin.csrf()}
    taking = [way for way in ways if way.method != "GET" and way.route.body_field]
    assert len(taking) > 80
    for way in taking:
        told = await (refusal(api, way, {}) if way.is_api else refusal(admin.http, way, csrf))
        assert "larger than the 1 MB allowed" in told, f"{way} {told[:200]}"


@pytest.mark.parametrize(
    "body",
    [b"[" * 200_000, b'{"a":' * 100_000, b'{"email": ' + b"9" * 50_000 + b"}", b'{"email": NaN, "name": Infinity}',
     b'{"email": "\\ud800", "name": "\\udfff"}', b"\xff\xfe\x00", b'{"email": "a\\u0000b@example.org", "name": "x"}'],
    ids=["deep list", "deep object", "huge number", "no numbers", "half a character", "no text", "a zero"],
)  # fmt: skip
async def test_json_of_any_shape_is_refused_in_a_sentence(api, body):
    answer = await api.post("/api/v1/users", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "query",
    [
        '"' * 2000,
        "(" * 2000,
        "-" * 2000,
        "a OR " * 500,
        "x:" * 900,
        '"a ' * 700,
        "\\" * 2000,
        "a\u0301" * 900,
        "%_" * 900,
    ],
)
async def test_a_hostile_query_is_answered_or_refused_soon(api, query):
    answer = await api.get("/api/v1/search", params={"q": query})
    assert answer.status_code in (200, 400, 422)


async def test_line_breaks_never_become_headers(api, services, nobody, admin):
    made = await api.post("/api/v1/users", json={"email": "ada@example.org", "name": LINE_BREAKS})
    if made.status_code == 201:
        assert "\n" not in made.json()["name"]
    await api.post("/api/v1/users", json={"email": "a@example.org\r\nBcc: b@example.org", "name": "A"})
    for listed in (await services.mailbox.list()).items:
        headers = (await services.mailbox.get(listed.id)).content.headers
        assert not [name for name, _ in headers if name.lower() == "bcc"]
    for path in ("/sign-in?next=/%0d%0aSet-Cookie:%20x=1", "/jobs?%0d%0aX-Evil:1", "/search?q=%0d%0aX-Evil:%201"):
        for visitor in (nobody, admin):
            answer = await visitor.get(path)
            assert "x-evil" not in answer.headers
            assert "x=1" not in answer.headers.get("set-cookie", "")


ELSEWHERE = [
    "//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
    "javascript:alert(1)", "/%2F/evil.example", "https:evil.example", "///evil.example", "/..//evil.example",
    "http:///evil.example", "\x00//evil.example",
]  # fmt: skip


@pytest.mark.parametrize("target", ELSEWHERE)
async def test_no_destination_in_a_request_leads_to_another_site(nobody, person, target):
    await person(email="ada@example.org", password=PASSWORD)
    form = {"email": "ada@example.org", "password": PASSWORD, "next": target}
    leads_to = (await nobody.http.post("/sign-in", data=form)).headers["location"]
    assert re.fullmatch(r"/(?![/\\]).*", leads_to), leads_to
    assert "\t" not in leads_to


TRAVERSAL = [
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/secret.key",
    "....//secret.key",
    "..\\secret.key",
    "%00",
]


@pytest.mark.parametrize("name", TRAVERSAL)
async def test_no_name_in_a_path_leads_out_of_its_folder(admin, services, ways, name):
    """Static files, uploads, exports and downloads; the signing secret lies beside the objects."""
    secret = services.secret
    for way in ways:
        if way.method == "GET" and way.parameters & {
            "path",
            "upload_id",
            "form",
            "format",
            "sent_id",
            "number",
            "token",
        }:
            answer = await admin.http.get(way.to(**dict.fromkeys(way.parameters, name)))
            assert answer.status_code < 500, way
            assert secret not in answer.content, way
    answer = await admin.http.get(f"/static/{name}")
    assert answer.status_code in (400, 404)


def bomb():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Habits.csv", b"0" * 150 * MEGABYTE)
    return packed.getvalue()


def slip():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../escaped.txt", "x")
    return packed.getvalue()


def tar_of_links():
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        link = tarfile.TarInfo("secret")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return packed.getvalue()


@pytest.mark.parametrize("content", [bomb, slip, tar_of_links], ids=lambda made: made.__name__)
async def test_hostile_archives_are_refused(api, tmp_path, content):
    answer = await api.post("/api/v1/habits/import", files={"file": ("habits.zip", content(), "application/zip")})
    assert answer.status_code in (400, 413, 422), answer.text
    assert answer.json()["detail"]
    assert not list(tmp_path.rglob("escaped.txt"))

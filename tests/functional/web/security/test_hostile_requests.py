"""Hostile requests: injected headers, open redirects, absurd sizes and depths, hostile names."""

import io
import re
import tarfile
import zipfile

import pytest

SECURITY_HEADERS = {
    "content-security-policy",
    "x-content-type-options",
    "x-frame-options",
    "referrer-policy",
    "cross-origin-opener-policy",
    "permissions-policy",
}
PASSWORD = "violet tramway under snow"
LINE_BREAKS = "Ada\r\nBcc: everybody@example.org\r\n\r\nSpam"
MEGABYTE = 1024 * 1024


async def test_errors_carry_the_security_headers_too(nobody, admin, api):
    for answer in (
        await api.get("/api/v1/nothing"),
        await api.delete("/api/v1/me"),
        await api.post("/api/v1/users", content=b"{"),
        await nobody.get("/static/nothing"),
        await nobody.get("/%00"),
        await admin.get("/nothing"),
        await api.post("/api/v1/users", content=b"x" * 2 * MEGABYTE),
    ):
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
        text = await (refusal(api, way, {}) if way.is_api else refusal(admin.http, way, csrf))
        assert "larger than the 1 MB allowed" in text, f"{way} {text[:200]}"


async def test_a_body_that_announces_no_length_is_counted_while_it_comes(api):
    sent = 0

    async def endless():
        nonlocal sent
        while sent < 100 * MEGABYTE:
            sent += MEGABYTE // 4
            yield b" " * (MEGABYTE // 4)

    answer = await api.post("/api/v1/users", content=endless(), headers={"Content-Type": JSON})
    assert answer.status_code == 413
    assert sent < 10 * MEGABYTE, "what nobody wants is not read to its end"


BODIES = {
    "a deep list": b"[" * 200_000,
    "a deep object": b'{"a":' * 100_000,
    "a huge number": b'{"email": ' + b"9" * 50_000 + b"}",
    "no numbers": b'{"email": NaN, "name": Infinity}',
    "half a character": b'{"email": "\\ud800", "name": "\\udfff"}',
    "no text": b"\xff\xfe\x00",
    "a zero": b'{"email": "a\\u0000b@example.org", "name": "x"}',
}


async def test_json_of_any_shape_is_refused_in_a_sentence(api):
    for what, body in BODIES.items():
        answer = await api.post("/api/v1/users", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422), what
        assert answer.headers["content-type"] == "application/problem+json", what


QUERIES = [
    '"' * 2000,
    "(" * 2000,
    "-" * 2000,
    "a OR " * 500,
    "x:" * 900,
    '"a ' * 700,
    "\\" * 2000,
    "a\u0301" * 900,
    "%_" * 9,
]


@pytest.mark.timeout(240)
async def test_a_hostile_query_is_answered_or_refused_soon(api):
    for query in QUERIES:
        answer = await api.get("/api/v1/search", params={"q": query})
        assert answer.status_code in (200, 400, 422), query[:20]


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


ELSEWHERE = ["\\\\evil.example", "/\t/evil.example", "https:evil.example", "///evil.example", "\x00//evil.example"]


async def test_no_destination_in_a_request_leads_to_another_site(nobody, person):
    await person(email="ada@example.org", password=PASSWORD)
    for target in ELSEWHERE:
        form = {"email": "ada@example.org", "password": PASSWORD, "next": target}
        leads_to = (await nobody.http.post("/sign-in", data=form)).headers["location"]
        assert re.fullmatch(r"/(?![/\\]).*", leads_to), leads_to
        assert "\t" not in leads_to


async def test_links_in_mail_lead_here_whatever_a_request_calls_this_site(services, nobody, person, api):
    await person(email="ada@example.org", password=PASSWORD)
    claims = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}
    await nobody.http.post("/sign-in/forgotten", data={"email": "ada@example.org"}, headers=claims)
    new = {"email": "grace@example.org", "name": "Grace", "role": "editor"}
    assert (await api.post("/api/v1/users", json=new, headers=claims)).status_code == 201
    mails = (await services.mailbox.list()).items
    assert len(mails) == 2
    for mail in mails:
        content = (await services.mailbox.get(mail.id)).content
        assert "http://testserver/link/" in content.text
        assert "evil" not in content.text + content.html
    for path in ("/sign-in", "/api/docs", "/api/openapi.json"):
        assert "evil" not in (await nobody.http.get(path, headers=claims)).text


TRAVERSAL = [
    "../../etc/passwd",
    "..%2f..%2fsecret.key",
    "%2e%2e/%2e%2e/secret.key",
    "....//secret.key",
    "..\\secret.key",
]
NAMING_FILES = {"path", "upload_id", "form", "format", "sent_id", "number", "token"}


async def test_no_name_in_a_path_leads_out_of_its_folder(admin, services, ways):
    """Static files, uploads, exports and downloads; the signing secret lies beside the objects."""
    for name in TRAVERSAL:
        for way in ways:
            if way.method == "GET" and way.parameters & NAMING_FILES:
                answer = await admin.http.get(way.to(**dict.fromkeys(way.parameters, name)))
                assert answer.status_code < 500, f"{way} {name}"
                assert services.secret not in answer.content, f"{way} {name}"
        assert (await admin.http.get(f"/static/{name}")).status_code in (400, 404), name


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


async def test_hostile_archives_are_refused(api, tmp_path):
    for content in (bomb, slip, tar_of_links):
        answer = await api.post("/api/v1/habits/import", files={"file": ("habits.zip", content(), "application/zip")})
        assert answer.status_code in (400, 413, 422), content.__name__
        assert answer.json()["detail"]
    assert not list(tmp_path.rglob("escaped.txt"))

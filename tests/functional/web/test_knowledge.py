"""Knowledge in the browser and the API: add, read, share and remove, each with the right permissions."""

import re

import pytest

from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker

TEXT = b"The bridge near the market was mended in March. It had been unsafe since the January rains."
OPML = b"""<opml><body><outline text="A" xmlUrl="https://a.example/feed"/>
<outline text="Bad" xmlUrl="http://10.0.0.1/feed"/></body></opml>"""


BOUNDARY = {"Content-Type": "multipart/form-data; boundary=the-same-each-time"}


@pytest.fixture
def read_source(services):
    """Let a worker run until everything that was added is read."""

    async def read(source_id):
        await make_worker(services).drain()
        async with services.database.unit() as unit:
            status = await unit.value("SELECT status FROM knowledge_sources WHERE id = %(id)s", {"id": source_id})
        assert status == "ready"

    return read


async def upload(visitor, *, files=(), opml=None, **fields):
    sent = [("files", file) for file in files] + ([("opml", opml)] if opml else [])
    data = {"csrf_token": await visitor.csrf(), **fields}
    return await visitor.http.post("/knowledge", data=data, files=sent or None)


async def test_a_file_is_added_and_its_page_shows_its_passages(signed_in, services, read_source):
    editor = await signed_in(Role.EDITOR)
    answer = await upload(editor, files=[("bridge.txt", TEXT)])
    assert answer.status_code == 200
    assert "Added 1 source; reading has started." in answer.text
    await read_source(answer.url.path.rpartition("/")[2])
    page = (await editor.get(answer.url.path)).text
    assert TEXT.decode() in page
    assert "(when it was added)" in page
    assert "bridge" in (await editor.get("/knowledge?q=BRIDGE")).text


async def test_several_files_can_be_added_and_the_refused_one_is_told(signed_in):
    editor = await signed_in(Role.EDITOR)
    answer = await upload(editor, files=[("good.txt", TEXT), ("photo.png", b"\x89PNG\r\n\x1a\n")])
    assert answer.status_code == 400
    assert "photo.png: This is an image" in answer.text
    assert "The rest was added" in answer.text
    assert "good" in (await editor.get("/knowledge")).text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Choose a file, or give an address."),
        ({"url": "http://169.254.169.254/latest"}, "leads to the local link"),
        ({"url": "ftp://example.org/"}, "http:// or https://"),
        ({"opml": ("feeds.opml", b"nothing")}, "This isn&#39;t OPML"),
        ({"opml": ("feeds.opml", OPML)}, "http://10.0.0.1/feed: 10.0.0.1 leads to a private network"),
    ],
)
async def test_what_cannot_be_added_says_why_beside_its_field(signed_in, fields, words):
    answer = await upload(await signed_in(Role.EDITOR), **fields)
    assert answer.status_code == 400
    assert words in answer.text


async def test_an_input_that_was_left_alone_counts_for_nothing(signed_in):
    """A browser sends a nameless empty file for it."""
    editor = await signed_in(Role.EDITOR)
    parts = [
        f'name="csrf_token"\r\n\r\n{await editor.csrf()}',
        'name="files"; filename=""\r\n\r\n',
        'name="opml"; filename=""\r\n\r\n',
        'name="url"\r\n\r\nhttps://nowhere.example/',
    ]
    body = "".join(f"--the-same-each-time\r\nContent-Disposition: form-data; {part}\r\n" for part in parts)
    answer = await editor.http.post("/knowledge", content=body + "--the-same-each-time--\r\n", headers=BOUNDARY)
    assert "Added 1 source" in answer.text


async def test_text_of_strangers_is_never_markup(signed_in, read_source):
    editor = await signed_in(Role.EDITOR)
    hostile = b"<script>alert(1)</script> is what the file says, and <img src=x onerror=alert(2)> too."
    answer = await upload(editor, files=[("<b>name<.txt", hostile)])
    await read_source(answer.url.path.rpartition("/")[2])
    page = (await editor.get(answer.url.path)).text
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "<b>name" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; is what" in page


async def test_removing_can_be_undone(signed_in):
    editor = await signed_in(Role.EDITOR)
    source = (await upload(editor, files=[("bridge.txt", TEXT)])).url.path
    removed = await editor.post(f"{source}/remove")
    assert "bridge is removed." in removed.text
    assert f'action="{source}/restore"' in removed.text
    assert (await editor.get(source)).status_code == 404
    assert "bridge is back." in (await editor.post(f"{source}/restore")).text
    assert (await editor.get(source)).status_code == 200


async def test_others_see_a_source_only_when_it_is_shared(signed_in):
    editor, member = await signed_in(Role.EDITOR), await signed_in(Role.MEMBER)
    source = (await upload(editor, files=[("bridge.txt", TEXT)])).url.path
    assert (await member.get(source)).status_code == 404
    assert "Everyone here may use it now." in (await editor.post(f"{source}/share", {"visibility": "everyone"})).text
    shared = await member.get(source)
    assert shared.status_code == 200
    assert "Remove" not in shared.text
    assert (await member.get("/knowledge/add")).status_code == 403


async def test_a_stranger_with_the_right_to_write_cannot_change_it(signed_in, api):
    editor = await signed_in(Role.EDITOR)
    source = (await upload(editor, files=[("bridge.txt", TEXT)], visibility="everyone")).url.path.rpartition("/")[2]
    assert (await api.get(f"/api/v1/knowledge/{source}")).status_code == 200
    assert (await api.delete(f"/api/v1/knowledge/{source}")).status_code == 403
    assert (await api.post(f"/api/v1/knowledge/{source}/refresh")).status_code == 403


async def test_the_api_takes_files_pages_and_feeds(api, read_source):
    made = await api.post("/api/v1/knowledge", files={"file": ("bridge.txt", TEXT)}, data={"title": "My bridge"})
    assert (made.status_code, made.json()["status"], made.json()["title"]) == (201, "waiting", "My bridge")
    await read_source(made.json()["id"])
    detail = (await api.get(f"/api/v1/knowledge/{made.json()['id']}")).json()
    assert (detail["source"]["status"], detail["source"]["chunks"], len(detail["documents"])) == ("ready", 1, 1)
    (chunk,) = (await api.get(f"/api/v1/knowledge/{made.json()['id']}/chunks")).json()["items"]
    assert chunk["text"] == TEXT.decode()
    assert (await api.get(f"/api/v1/knowledge/chunks/{chunk['id']}")).json() == chunk
    page = await api.post("/api/v1/knowledge", data={"url": "https://nowhere.example/page"})
    feed = await api.post("/api/v1/knowledge", data={"feed": "https://nowhere.example/feed"})
    assert (page.json()["kind"], feed.json()["kind"]) == ("url", "feed")
    listed = (await api.get("/api/v1/knowledge?kind=feed")).json()["items"]
    assert [source["url"] for source in listed] == ["https://nowhere.example/feed"]


async def test_a_repeated_upload_is_answered_and_not_redone(api):
    request = {"files": {"file": ("bridge.txt", TEXT)}, "headers": {"Idempotency-Key": "once", **BOUNDARY}}
    first, again = [await api.post("/api/v1/knowledge", **request) for _ in range(2)]
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"data": {}}, 422),
        ({"data": {"url": "https://a.example/", "feed": "https://a.example/"}}, 422),
        ({"data": {"url": "http://127.0.0.1/"}}, 400),
        ({"files": {"file": ("a.png", b"\x89PNG\r\n")}}, 400),
        ({"files": {"file": ("a.txt", b"")}}, 400),
    ],
)
async def test_the_api_refuses_with_one_sentence(api, wish, status):
    answer = await api.post("/api/v1/knowledge", **wish)
    assert answer.status_code == status
    assert answer.json()["detail"].endswith(".")


async def test_a_list_of_feeds_is_imported_over_the_api(api):
    answer = (await api.post("/api/v1/knowledge/opml", files={"file": ("feeds.opml", OPML)})).json()
    assert [source["url"] for source in answer["added"]] == ["https://a.example/feed"]
    assert [refused["url"] for refused in answer["refused"]] == ["http://10.0.0.1/feed"]


async def test_changes_are_in_the_audit_log(api):
    source = (await api.post("/api/v1/knowledge", files={"file": ("bridge.txt", TEXT)})).json()["id"]
    await api.put(f"/api/v1/knowledge/{source}/visibility", json={"visibility": "everyone"})
    await api.delete(f"/api/v1/knowledge/{source}")
    entries = (await api.get("/api/v1/audit?limit=10")).json()["items"]
    actions = [entry["action"] for entry in entries if re.match(r"knowledge\.", entry["action"])]
    assert actions == ["knowledge.removed", "knowledge.shared", "knowledge.added"]

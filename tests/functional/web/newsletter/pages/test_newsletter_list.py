"""The list of a person's newsletters: search, sort, duplicate, delete."""

from almanac.accounts.permissions import Role


async def test_an_empty_list_offers_the_first_step(visitor):
    page = (await visitor.get("/newsletter")).text
    assert "No newsletters yet" in page
    assert 'href="/newsletter/new"' in page


async def test_a_title_is_needed(visitor):
    answer = await visitor.post("/newsletter/new", {"title": "  "})
    assert answer.status_code == 422
    assert "Enter a title." in answer.text


async def test_newsletters_are_found_by_words_and_status_and_put_in_order(visitor, begin):
    for title in ("Livestock monthly", "Horn of Africa weekly", "Africa markets"):
        await begin(title)
    page = (await visitor.get("/newsletter?q=africa&sort=title")).text
    assert "Livestock monthly" not in page
    assert page.index("Africa markets") < page.index("Horn of Africa weekly")
    assert "No matches" in (await visitor.get("/newsletter?status=exported")).text


async def test_the_next_issue_begins_from_this_one(begin, visitor):
    desk = await begin()
    await desk.send("topics", {"topics": ["Livestock"]}, page="topics")
    answer = await desk.send("duplicate")
    assert "Horn of Africa weekly (copy)" in answer.text
    assert answer.url.path.endswith("/configuration")
    assert desk.code not in answer.url.path


async def test_a_deleted_newsletter_is_gone(begin, visitor):
    desk = await begin()
    answer = await desk.send("delete")
    assert f"Deleted {desk.code}." in answer.text
    assert (await visitor.get(f"{desk.base}/configuration")).status_code == 404


async def test_nobody_sees_the_newsletters_of_others(begin, signed_in, person):
    desk = await begin()
    other = await signed_in(user=await person(Role.EDITOR, email="other@example.org"))
    assert "No newsletters yet" in (await other.get("/newsletter")).text
    for page in ("", "/configuration", "/topics", "/outline", "/draft", "/revisions", "/preview", "/export", "/live"):
        assert (await other.get(desk.base + page)).status_code == 404
    assert (await other.post(f"{desk.base}/delete")).status_code == 404


async def test_a_title_cannot_bring_markup(begin):
    desk = await begin("<script>alert(1)</script>")
    for page in ("configuration", "topics", "outline", "draft", "export"):
        text = await desk.see(page)
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text

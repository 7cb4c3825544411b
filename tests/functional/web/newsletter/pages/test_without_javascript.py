"""The four steps without JavaScript: plain forms and redirects from a title to an exported file."""

import re


async def test_from_a_title_to_a_file(drafted_desk):
    desk = drafted_desk
    assert "Score" in await desk.see("topics")
    assert "Main Content" in await desk.see("outline")
    draft = await desk.see("draft")
    assert "The rules found nothing to change. No person has checked it against the sources yet." in draft
    source = re.search(r'href="(/newsletter/[^"]*/read\?[^"]*)"', draft)[1].replace("&amp;", "&")
    shown = (await desk.visitor.get(source)).text
    assert 'class="is-support" id="words"' in shown
    assert "The marked words support the sentence." in shown
    started = await desk.send("export/pdf")
    await desk.until_done(f"export?{started.url.query.decode()}")
    exported = await desk.see("export")
    assert "from revision" in exported
    file = await desk.visitor.get(re.search(r'href="(/api/v1/newsletters/[^"]*/exports/pdf)"', exported)[1])
    assert file.content.startswith(b"%PDF-")


async def test_the_preview_is_shut_in_a_sandbox(drafted_desk):
    for look in ("desktop", "phone", "text"):
        assert "Horn of Africa weekly" in await drafted_desk.see(f"preview?look={look}")
    mail = await drafted_desk.visitor.get(f"{drafted_desk.base}/preview/mail")
    assert mail.headers["content-security-policy"].startswith("sandbox")
    assert mail.headers["x-frame-options"] == "SAMEORIGIN"


async def test_a_test_goes_to_nobody_but_oneself(drafted_desk, services):
    answer = await drafted_desk.send("preview/send")
    assert f"Test mail sent to {drafted_desk.visitor.user.email}" in answer.text
    (mail,) = (await services.mailbox.list()).items
    assert mail.subject == "Test: Horn of Africa weekly"
    assert mail.recipients == [drafted_desk.visitor.user.email]


async def test_a_newsletter_is_resumed_where_it_was_left(outlined_desk):
    answer = await outlined_desk.visitor.get(outlined_desk.base)
    assert answer.url.path == f"{outlined_desk.base}/outline"

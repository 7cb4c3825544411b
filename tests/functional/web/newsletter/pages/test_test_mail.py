"""The test mail: the current draft with both parts, sent only to the person who asks for it."""

from almanac.accounts.permissions import Role
from almanac.desks.newsletter.store import newsletters as newsletter_store

SENT = "preview/send"


async def mails(services):
    return (await services.mailbox.list()).items


async def test_a_test_has_the_whole_draft_in_html_and_in_text(drafted_desk, services):
    answer = await drafted_desk.send(SENT)
    assert answer.url.path == f"{drafted_desk.base}/preview"
    (line,) = await mails(services)
    content = (await services.mailbox.get(line.id)).content
    draft = (await newsletter_store.get_full_newsletter(services.tables, drafted_desk.code)).draft.draft
    names = [section.name for section in draft.sections if section.text]
    assert len(names) > 2
    for name in names:
        assert name in content.text
        assert name.replace("&", "&amp;") in content.html
    assert "[@" not in content.text + content.html


async def test_a_test_leaves_the_draft_as_it_is_and_may_be_repeated(drafted_desk, services):
    before = await newsletter_store.get_full_newsletter(services.tables, drafted_desk.code)
    await drafted_desk.send(SENT)
    await drafted_desk.send(SENT)
    after = await newsletter_store.get_full_newsletter(services.tables, drafted_desk.code)
    assert (after.draft, after.newsletter.version) == (before.draft, before.newsletter.version)
    assert len(await mails(services)) == 2


async def test_a_test_of_nothing_is_refused_in_words(outlined_desk, services):
    answer = await outlined_desk.visitor.post(f"{outlined_desk.base}/{SENT}", {})
    assert answer.status_code == 409
    assert "Nothing to send yet; write the draft first." in answer.text
    assert await mails(services) == []


async def test_nobody_sends_tests_of_what_is_not_theirs(drafted_desk, services, signed_in, person):
    stranger = await signed_in(user=await person(Role.EDITOR, email="stranger@example.org"))
    member = await signed_in(Role.MEMBER)
    assert (await stranger.post(f"{drafted_desk.base}/{SENT}", {})).status_code == 404
    assert (await member.post(f"{drafted_desk.base}/{SENT}", {})).status_code == 403
    assert await mails(services) == []

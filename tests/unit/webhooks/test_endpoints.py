"""Endpoints are registered by those who may, with sound values, and edited without lost updates."""

import pytest

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.permissions import Role
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter
from almanac.errors import Conflict, FieldErrors, InputError, NotAllowed, NotFound, StaleEdit
from almanac.webhooks import EndpointEdit, EventRegistry, EventType
from almanac.webhooks.service import MAX_ENDPOINTS


async def test_only_who_manages_webhooks_gets_anywhere(hooks):
    editor = Principal(user_id="e", name="E", email="e@example.org", role=Role.EDITOR, via="session")
    made = await hooks.register()
    for verb in (
        hooks.webhooks.list(editor),
        hooks.webhooks.get(editor, made.endpoint.id),
        hooks.webhooks.ping(editor, made.endpoint.id),
        hooks.webhooks.rotate(editor, made.endpoint.id),
        hooks.webhooks.deliveries(editor, made.endpoint.id),
        hooks.webhooks.register(editor, url="https://example.org", events=["news.added"]),
    ):
        with pytest.raises(NotAllowed):
            await verb


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org",
        "https://",
        "https://a b.org",
        "https://example.org:99999",
        "https://[::1",
        "https://example.org/" + "x" * 2000,
        "https://user:word@example.org/",
        "javascript:alert(1)",
    ],
)
async def test_an_address_that_nobody_can_listen_at_is_refused(hooks, url):
    with pytest.raises(FieldErrors) as refused:
        await hooks.webhooks.register(CONSOLE, url=url, events=["news.added"])
    assert list(refused.value.fields) == ["url"]


@pytest.mark.parametrize("url", ["http://10.1.2.3/hook", "http://[fd00::1]/hook", "http://169.254.169.254/latest"])
async def test_an_address_inside_our_own_network_is_refused(hooks, url):
    with pytest.raises(FieldErrors) as refused:
        await hooks.webhooks.register(CONSOLE, url=url, events=["news.added"])
    assert list(refused.value.fields) == ["url"]


@pytest.mark.parametrize("events", [[], ["news.invented"]])
async def test_events_must_be_known(hooks, events):
    with pytest.raises(FieldErrors) as refused:
        await hooks.webhooks.register(CONSOLE, url="https://example.org", events=events)
    assert list(refused.value.fields) == ["events"]


async def test_an_edit_on_an_older_version_is_refused(hooks):
    made = await hooks.register()
    edit = EndpointEdit(description="For the archive", events=["newsletter.exported"])
    edited = await hooks.webhooks.edit(CONSOLE, made.endpoint.id, edit, expected=1)
    assert (edited.version, edited.events, edited.url) == (2, ("newsletter.exported",), made.endpoint.url)
    with pytest.raises(StaleEdit):
        await hooks.webhooks.edit(CONSOLE, made.endpoint.id, EndpointEdit(description="No"), expected=1)


async def test_what_is_deleted_is_gone_with_its_log(hooks):
    made = await hooks.register()
    await hooks.publish()
    await hooks.webhooks.delete(CONSOLE, made.endpoint.id)
    await hooks.jobs.drain()
    assert hooks.receiver.seen == []
    with pytest.raises(NotFound):
        await hooks.webhooks.get(CONSOLE, made.endpoint.id)


async def test_a_disabled_endpoint_is_told_nothing_until_it_is_enabled(hooks):
    made = await hooks.register()
    disabled = await hooks.webhooks.disable(CONSOLE, made.endpoint.id, why="Moving house")
    assert (disabled.active, disabled.disabled_why) == (False, "Moving house")
    assert await hooks.publish() is None
    assert (await hooks.webhooks.enable(CONSOLE, made.endpoint.id)).active
    assert await hooks.publish() is not None


async def test_no_secret_is_stored_anywhere(hooks):
    made = await hooks.register()
    await hooks.webhooks.ping(CONSOLE, made.endpoint.id)
    await hooks.jobs.drain()
    async with hooks.database.unit() as unit:
        for table in ("webhook_endpoints", "webhook_events", "webhook_deliveries", "webhook_attempts", "audit_entries"):
            rows = await unit.all(f"SELECT * FROM {table}")
            assert made.secret not in str(rows)


async def test_the_log_comes_in_pages_that_belong_to_it(hooks):
    made = await hooks.register()
    for number in range(5):
        await hooks.publish(n=number)
    first = await hooks.webhooks.deliveries(CONSOLE, made.endpoint.id, limit=3)
    rest = await hooks.webhooks.deliveries(CONSOLE, made.endpoint.id, cursor=first.next_cursor, limit=3)
    assert (len(first.items), len(rest.items), rest.next_cursor) == (3, 2, None)
    other = await hooks.register()
    with pytest.raises(InputError):
        await hooks.webhooks.deliveries(CONSOLE, other.endpoint.id, cursor=first.next_cursor)


async def test_what_people_do_is_in_the_audit_log(hooks):
    made = await hooks.register()
    await hooks.webhooks.rotate(CONSOLE, made.endpoint.id)
    await hooks.webhooks.disable(CONSOLE, made.endpoint.id)
    await hooks.webhooks.delete(CONSOLE, made.endpoint.id)
    page = await audit.list_entries(hooks.database, AuditFilter(object_type="webhook"), key=b"key")
    words = ["deleted", "disabled", "secret_changed", "added"]
    assert [entry.action for entry in page.items] == [f"webhook.{word}" for word in words]


async def test_there_is_an_end_to_endpoints(hooks):
    for _ in range(MAX_ENDPOINTS):
        await hooks.register()
    with pytest.raises(Conflict, match="delete one first"):
        await hooks.register()


def test_an_event_has_one_meaning():
    events = EventRegistry([EventType("news.added", "A link was added.")])
    events.add(EventType("news.added", "A link was added."))
    for wrong in (EventType("news.added", "Otherwise."), EventType("ping", "Taken.")):
        with pytest.raises(ValueError, match="Two events"):
            events.add(wrong)
    with pytest.raises(ValueError, match="valid event name"):
        EventType("News Added", "")

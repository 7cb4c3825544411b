"""The page of notifications and what a service worker shows. Headless Chromium has no push service to subscribe to, so
the browser's part of that is stood in for; what is pushed reaches the real service worker through the debugger."""

import asyncio
import json

from playwright.async_api import expect

from almanac.accounts.permissions import Role

PAGE = "/account/notifications"
STAND_IN = """
  Object.defineProperty(Notification, "permission", { get: () => "default" });
  const keys = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  const subscription = { endpoint: "https://push.example.net/a-secret", keys, unsubscribe: async () => true };
  PushManager.prototype.subscribe = async () => subscription;
  PushManager.prototype.getSubscription = async () => null;
  Notification.requestPermission = async () => "granted";
"""


async def test_choosing_what_to_hear_of(enter, look_around):
    page = await enter(Role.ADMIN)
    await page.goto(PAGE)
    approvals = page.get_by_role("group", name="Approvals waiting")
    await expect(approvals.get_by_label("Push")).to_be_checked()
    await approvals.get_by_label("Push").uncheck()
    await approvals.get_by_label("Mail").check()
    await page.get_by_label("From", exact=True).fill("22:00")
    await page.get_by_label("To", exact=True).fill("07:00")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Your notifications are saved.")).to_be_visible()
    await expect(approvals.get_by_label("Push")).not_to_be_checked()
    await expect(approvals.get_by_label("Mail")).to_be_checked()
    await page.get_by_label("Address", exact=True).first.fill("https://ntfy.sh/a-secret-topic")
    await page.get_by_role("button", name="Save address").first.click()
    await expect(page.get_by_text("ntfy.sh/…")).to_be_visible()
    assert "a-secret-topic" not in await page.content()
    await look_around(page, "notifications")


async def test_turning_push_on_and_off_in_this_browser(enter, look_around):
    page = await enter(Role.MEMBER, service_workers="allow")
    await page.add_init_script(STAND_IN)
    await page.goto(PAGE)
    await page.get_by_role("button", name="Turn on in this browser").click()
    await expect(page.get_by_text("This browser", exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name="Turn on in this browser")).to_be_hidden()
    assert "a-secret" not in await page.content()
    await look_around(page, "notifications_device")
    await page.get_by_role("button", name="Remove").first.click()
    await expect(page.get_by_text("This device gets no more notifications.")).to_be_visible()
    assert await page.evaluate("localStorage.length") == 0


async def test_a_browser_that_refuses_says_what_to_do(enter):
    page = await enter(Role.MEMBER, service_workers="allow")
    await page.goto(PAGE)
    await page.evaluate("() => { Notification.requestPermission = async () => 'denied'; }")
    button = page.get_by_role("button", name="Turn on in this browser")
    if await button.is_visible():
        await button.click()
    await expect(page.get_by_text("This browser blocks notifications from here.")).to_be_visible()


async def push(page, content):
    """Hand a message to the service worker as a push service would."""
    session, origin = await page.context.new_cdp_session(page), await page.evaluate("location.origin")
    listed = asyncio.get_running_loop().create_future()

    def note(event):
        own = [item for item in event["registrations"] if item["scopeURL"].startswith(origin)]
        if own and not listed.done():
            listed.set_result(own[0])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    await session.send("ServiceWorker.enable")
    mine = await asyncio.wait_for(listed, 15)
    message = {"origin": origin, "registrationId": mine["registrationId"], "data": json.dumps(content)}
    await session.send("ServiceWorker.deliverPushMessage", message)


async def test_the_worker_shows_what_is_pushed(enter):
    page = await enter(Role.MEMBER, service_workers="allow")
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    [worker] = page.context.service_workers
    # Chromium without a window has no place for notifications and badges; its worker ends when one comes.
    await worker.evaluate(
        """() => {
          self.navigator.setAppBadge = async () => {};
          self.showing = new Promise((shown) => {
            self.registration.showNotification = async (title, options) =>
              shown({ title, body: options.body, tag: options.tag, lang: options.lang, path: options.data.path });
          });
        }"""
    )
    content = {"title": "2 approvals are waiting", "body": "Open Almanac to decide.", "path": "/approvals"}
    await push(page, {**content, "tag": "approvals", "language": "en", "at": 1_795_000_000, "waiting": 2})
    shown = await worker.evaluate("() => self.showing")
    assert shown == {**content, "tag": "approvals", "lang": "en"}

"""Each state is made for real, and the trace tells it truly, with an action that works."""

from datetime import timedelta

from almanac.accounts.model import AUTOMATION
from almanac.accounts.permissions import Role
from almanac.desks.habits.service import entries
from almanac.desks.news.service import links, sites
from almanac.desks.reminders import service
from almanac.desks.reminders.service import CustomerEdit
from almanac.jobs import JobStatus
from almanac.mail.message import Address, Message
from almanac.mail.model import DeliveryEvent


def labels(trace):
    return [action["label"] for action in trace["actions"]]


async def act(visitor, trace, label):
    """Do what an action offers, as its button does."""
    action = next(action for action in trace["actions"] if action["label"] == label)
    if action["posts"]:
        return await visitor.post(action["href"], action["values"])
    return await visitor.get(action["href"])


async def test_a_customer_who_was_reminded_four_days_ago_waits_for_the_next_possible_day(admin, ask, reminded):
    await reminded(4)
    [trace] = await ask(admin, "lotus print")
    assert trace["state"] == "Not reminded: the last one was sent 4 days ago."
    assert trace["next_step"] == "Next possible Monday 9 March."
    assert trace["steps"][0] | {"tone": "done"} == trace["steps"][0]
    assert trace["steps"][0]["at"].startswith("2026-03-02")
    assert trace["steps"][-1]["sentence"] == "Wait until 7 days after the first reminder."
    assert (await act(admin, trace, "Open customer")).status_code == 200


async def test_a_customer_who_may_be_reminded_is_drafted_for_by_the_action(admin, ask, owing):
    await owing()
    [trace] = await ask(admin, "customer:lotus")
    assert trace["state"] == "The first reminder over 100.00 EUR may go out now."
    assert "is drafted" in (await act(admin, trace, "Draft the first reminder")).text
    [trace] = await ask(admin, "customer:lotus")
    assert trace["state"] == "A first reminder is open: it is a draft."
    assert labels(trace) == ["Open draft", "Open customer"]
    assert (await act(admin, trace, "Open draft")).status_code == 200


async def test_an_address_that_is_suppressed_stops_reminders_and_can_be_changed(admin, ask, owing, services):
    await owing()
    await services.suppressions.add("lotus@example.org", source="manual", reason="They left.")
    [trace] = await ask(admin, "customer:lotus")
    assert trace["state"] == "Not reminded. All addresses of the customer are suppressed; add another one."
    assert (await act(admin, trace, "Change the address")).status_code == 200


async def test_two_currencies_are_one_trace_with_what_can_go_out_first(admin, ask, owing, services):
    await owing()
    await service.draft_reminder(services, AUTOMATION, "lotus")
    amount = services.clock.now().date() - timedelta(days=9)
    fields = {"customer_id": "lotus", "number": "U-1", "amount": "50.00", "currency": "USD", "due": str(amount)}
    assert (await admin.post("/reminders/invoices/new", fields)).status_code == 200
    [trace] = await ask(admin, "customer:lotus")
    assert trace["state"] == "USD: The first reminder over 50.00 USD may go out now."
    assert {step["group"] for step in trace["steps"]} == {"EUR", "USD"}
    assert labels(trace) == ["Draft the first reminder", "Open draft", "Open customer"]


async def test_an_invoice_is_explained_by_its_customer_or_as_settled(admin, ask, owing, services):
    await owing()
    [trace] = await ask(admin, "invoice:lotus/lotus-1")
    assert trace["steps"][0]["sentence"] == "100.00 EUR is open on this invoice."
    await service.edit_customer(services, AUTOMATION, "lotus", CustomerEdit(never_remind=True), expected=1)
    [trace] = await ask(admin, "invoice:lotus/lotus-1")
    assert trace["state"] == "Not reminded. The customer is set to never be reminded."


async def test_a_streak_that_broke_names_the_day_and_the_day_can_be_entered(signed_in, ask, keeping, services):
    walker = await signed_in(Role.MEMBER)
    owner, habit = await keeping(walker)
    today = services.clock.now().date()
    for ago in range(10, 3, -1):
        await entries.complete_habit(services, owner, habit.id, day=today - timedelta(days=ago))
    [trace] = await ask(walker, "evening walk")
    assert trace["state"] == "The streak broke on Friday 27 February. Nothing entered, so the streak ended."
    broken = next(step for step in trace["steps"] if step["at"] == "2026-02-27")
    assert (broken["tone"], broken["quote"]) == ("waiting", "Streak 0")
    assert 'value="2026-02-27"' in (await act(walker, trace, "Enter 27 February")).text


async def test_a_streak_at_risk_is_saved_by_the_action(signed_in, ask, keeping, services):
    walker = await signed_in(Role.MEMBER)
    owner, habit = await keeping(walker)
    await entries.complete_habit(services, owner, habit.id, day=services.clock.now().date() - timedelta(days=1))
    [trace] = await ask(walker, f"habit:{habit.id}")
    assert trace["state"] == "The streak of 1 day ends today unless you enter something."
    assert (await act(walker, trace, "Done today")).status_code == 200
    [trace] = await ask(walker, f"habit:{habit.id}")
    assert trace["state"] == "The streak of 2 days stands."


async def test_an_address_that_nobody_found_is_honestly_unknown_and_can_be_added(admin, ask):
    [trace] = await ask(admin, "https://selat.example/a")
    assert trace["state"] == "Never seen: no task finds links on selat.example."
    assert labels(trace) == ["Add this link", "New news task"]
    assert "1 new link" in (await act(admin, trace, "Add this link")).text
    [trace] = await ask(admin, "http://www.selat.example/a/?utm_source=x")
    assert trace["state"] == "Not here yet. It is waiting to be read."
    [other] = await ask(admin, "https://selat.example/b")
    assert other["state"] == "Never seen: tasks find links on selat.example, but not this one."


async def test_a_blocked_site_says_until_when_and_is_unblocked_by_the_action(admin, ask, services):
    await links.add_links(services, AUTOMATION, ["https://selat.example/a"])
    await sites.block_site(services, AUTOMATION, "selat.example", reason="They asked us to stop.", days=7)
    [trace] = await ask(admin, "selat.example")
    assert trace["state"] == "selat.example is blocked until Monday 9 March 2026."
    assert trace["steps"][-1]["quote"] == "They asked us to stop."
    [link] = await ask(admin, "https://selat.example/a")
    assert link["state"].startswith("Not here. It is blocked: They asked us to stop.")
    assert "is unblocked" in (await act(admin, trace, "Unblock")).text
    [trace] = await ask(admin, "site:selat.example")
    assert trace["state"] == "selat.example wasn't asked yet."


async def queue_mail(services, email="ana@example.org"):
    message = Message(to=(Address(email),), subject="Your invoice", text="Please pay.", topic="account")
    async with services.database.unit() as unit:
        queued = await services.mailer.queue(message, key="invoice-1", unit=unit)
    return queued.id


async def test_a_mail_that_bounced_is_traced_to_the_bounce_and_its_suppression(admin, ask, services):
    [trace] = await ask(admin, "ana@example.org")
    assert trace["state"] == "No mail was ever written to this address."
    mail_id = await queue_mail(services)
    [trace] = await ask(admin, "ana@example.org")
    assert trace["state"] == "The last mail waits to be sent."
    await services.mailer.deliver(mail_id)
    [trace] = await ask(admin, "ana@example.org")
    assert trace["state"] == "The last mail was sent on Monday 2 March; nothing came back."
    bounce = DeliveryEvent(
        kind="bounced",
        recipient="ana@example.org",
        happened_at=services.clock.now(),
        source="test",
        permanent=True,
        detail="550 no such user",
        mail_id=mail_id,
    )
    await services.deliveries.record(bounce)
    [trace] = await ask(admin, "why ana@example.org")
    assert trace["state"].startswith("Gets no mail since Monday 2 March.")
    assert "550 no such user" in {step["quote"] for step in trace["steps"]}
    assert "ana@example.org" in (await act(admin, trace, "Allow mail again")).text
    assert "Your invoice" in (await act(admin, trace, "Open mail")).text


async def test_a_job_that_waits_is_explained_by_its_number(admin, ask, services):
    started = await admin.post("/jobs/schedules/recap.work/run")
    assert started.status_code == 200
    number = str(started.url).rsplit("/", 1)[-1]
    for words in (f"#{number}", f"job {number}", f"why job {number}?", f"job:{number}"):
        [trace] = await ask(admin, words)
        assert (trace["about"], trace["state"]) == (f"job:{number}", "It waits to run.")
    assert (await services.jobs.job(int(number))).job.status is JobStatus.QUEUED


async def test_a_person_learns_what_they_lack_and_where_rights_come_from(admin, signed_in, ask):
    editor = await signed_in(Role.EDITOR)
    [own] = await ask(editor, "some editor")
    assert own["state"] == "Some Editor has the role Editor and belongs to no team."
    reminders = next(step["sentence"] for step in own["steps"] if step["sentence"].startswith("Reminders"))
    assert reminders == "Reminders: may see, write, not approve, send, administer. By the role."
    assert own["actions"] == []
    [managed] = await ask(admin, "why can't Some Editor approve?")
    assert "Some Editor" in (await act(admin, managed, "Change rights")).text

"""The daily schedule drafts for every due customer, makes up for missed days, and respects a rejection."""

from almanac.accounts.model import CONSOLE
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service
from almanac.desks.reminders.jobs import DRAFT_DUE


async def run_the_schedule(services):
    await services.jobs.run_schedule(DRAFT_DUE.name)
    await make_worker(services).drain()
    return (await service.list_drafts(services, CONSOLE)).items


async def test_whoever_is_due_is_drafted_once_and_a_missed_day_is_made_up_for(services, account, clock):
    acme = await account("acme")
    await account("beta", never_remind=True)
    [draft] = await run_the_schedule(services)
    assert (draft.customer_id, draft.level, draft.created_by.id) == ("acme", "first", "automation")
    assert len(await run_the_schedule(services)) == 1
    await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
    await service.send_draft(services, CONSOLE, draft.id)
    clock.advance(days=11)
    [second] = await run_the_schedule(services)
    assert (second.customer_id, second.level) == ("acme", "second")
    assert len(await acme.history()) == 1


async def test_what_a_person_rejected_is_not_drafted_again_until_the_debt_changes(services, account):
    acme = await account()
    [draft] = await run_the_schedule(services)
    await service.reject_draft(services, CONSOLE, draft.id, seen=draft.content_hash, note="They called.")
    assert await run_the_schedule(services) == []
    [line] = (await service.get_plan(services, CONSOLE, services.clock.now())).lines
    assert line.decision.rule == "declined"
    await acme.owe("acme-2")
    assert len(await run_the_schedule(services)) == 1

"""The page of a meeting that says what was left out and why, and that a model couldn't be used."""

import msgspec
from playwright.async_api import expect

from almanac.accounts.permissions import Role
from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.model.recap import LeftOutSentence, WritingFallback
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.store.objects import save_record

NAME = "chiiki-kotsu-iinkai"
LEFT_OUT = (
    LeftOutSentence(text="木曽委員が逮捕されました。", kind="uncovered", orders=(2,), words=("逮捕",)),
    LeftOutSentence(
        text="費用は500億円です。", kind="differs", orders=(3, 4), words=("500億円",), expected="三百二十億円"
    ),
    LeftOutSentence(text="この法律案は否決されました。", kind="unsupported"),
)


async def test_what_was_left_out_can_be_read_in_every_look(site, sittings, enter, look_around):
    meeting, recap = sittings[NAME]
    points = tuple(msgspec.structs.replace(point, moved=at == 0) for at, point in enumerate(recap.key_points))
    provenance = msgspec.structs.replace(
        recap.provenance,
        model="extractive + openai:gpt-x",
        dropped=len(LEFT_OUT),
        left_out=LEFT_OUT,
        fallback=WritingFallback(reason="openai:gpt-x gave an unusable answer twice; try again.", asks_again=True),
        instructions=(2,),
    )
    changed = msgspec.structs.replace(recap, key_points=points, provenance=provenance)
    services = site.services
    (sample,) = [sample for sample in sample_meetings() if sample.name == NAME]
    url = await save_record(services, task_pk(meeting), sample.raw)
    await publish_recap(services, meeting, changed, record_url=url)
    page = await enter(Role.EDITOR)
    await page.goto(f"/recap/articles/{meeting.issue_id}")
    await page.get_by_text("3 sentences of the model were left out").click()
    await expect(page.get_by_text("The record doesn't confirm “逮捕”.")).to_be_visible()
    await expect(page.get_by_text("The record says “三百二十億円”, not “500億円”.")).to_be_visible()
    await expect(page.get_by_text("The writer named another speech; this one carries it.")).to_be_visible()
    await expect(page.get_by_text("The model openai:gpt-x; where it failed, sentences of the record")).to_be_visible()
    await expect(page.get_by_role("button", name="Try again")).to_be_visible()
    await look_around(page, "recap-left-out")
    await publish_recap(services, meeting, recap, record_url=url)

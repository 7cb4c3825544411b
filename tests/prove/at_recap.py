"""Load at the recap desk: records of sittings appear in a folder and are collected; each becomes one article."""

import asyncio
import json
from datetime import date, timedelta
from typing import Any

from calling import Caller
from report import Report
from stage import Stage

SITTINGS = "sittings"
FIRST, PAUSE = date(2024, 1, 1), 3.0
SAID = (
    ("青木春子", "○青木春子君　図書館整備法案の第{n}条について質問します。予算は{n}億円で足りるのでしょうか。"),
    ("石田健", "○石田健君　お答えします。{n}億円の予算で五十館を整備する計画であります。"),
    ("大野空", "○大野空君　私は第{n}条に賛成の立場から討論します。地方の読書環境が改善されるからであります。"),
)


def a_sitting(number: int) -> dict[str, Any]:
    """A record as the Diet's interface gives it, each on a day of its own."""
    day = (FIRST + timedelta(days=number)).isoformat()
    issue_id = f"1221{number:05d}X{day.replace('-', '')}"
    lines = [("会議録情報", f"○本日の会議に付した案件\r\n　図書館整備法案（内閣提出第{number}号）\r\n")]
    lines += [(speaker, text.format(n=number + 1)) for speaker, text in SAID]
    return {
        "issueID": issue_id,
        "imageKind": "会議録",
        "searchObject": 0,
        "session": 221,
        "nameOfHouse": "衆議院",
        "nameOfMeeting": "文教委員会",
        "issue": f"第{number}号",
        "date": day,
        "closing": None,
        "meetingURL": f"https://kokkai.example/txt/{issue_id}",
        "pdfURL": None,
        "speechRecord": [_speech(issue_id, order, *line) for order, line in enumerate(lines)],
    }


def _speech(issue_id: str, order: int, speaker: str, text: str) -> dict[str, Any]:
    return {
        "speechID": f"{issue_id}_{order:03d}",
        "speechOrder": order,
        "speaker": speaker,
        "speakerYomi": "",
        "speakerGroup": "みらい会" if order else "",
        "speakerPosition": None,
        "speakerRole": None,
        "speech": text,
        "startPage": 0,
        "createTime": "2026-01-10 01:11:39",
        "updateTime": "2026-01-10 01:11:39",
        "speechURL": f"https://kokkai.example/txt/{issue_id}/{order}",
    }


class Recap:
    """One editor has the desk collect a new day again and again."""

    writers = 1

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.editor: Caller = stage.admin
        self.count = 0

    async def set_up(self) -> None:
        self.editor = await self.stage.person("stenographer", "editor")

    async def write(self, writer: int) -> None:
        sitting = a_sitting(self.count)
        self.count += 1
        (self.stage.records / f"{sitting['issueID']}.json").write_text(json.dumps(sitting), "utf-8")
        started = await self.editor.post("/recap/collect", {"from": sitting["date"], "until": sitting["date"]})
        self.stage.journal.keep("jobs", str(started["job_id"]), "recap")
        self.stage.journal.keep(SITTINGS, sitting["issueID"], len(SAID) + 1)
        await asyncio.sleep(PAUSE)

    async def is_at_rest(self) -> bool:
        for status in ("ingested", "pending", "remake"):
            if (await self.editor.get("/recap/tasks", status=status))["items"]:
                return False
        return len(await self.editor.every("/recap/articles")) >= len(self.stage.journal.certain(SITTINGS))

    async def check(self, report: Report) -> None:
        certain = self.stage.journal.certain(SITTINGS)
        articles = {item["id"]: item for item in await self.editor.every("/recap/articles")}
        lost = [name for name in certain if name not in articles]
        report.claim(
            "recap: every sitting that was collected is an article",
            f"{len(certain)}, {len(lost)} lost",
            holds=not lost,
            detail="\n".join(lost),
        )
        wrong = [name for name in certain if name in articles and not await self._is_whole(name, certain[name])]
        report.claim(
            "recap: every article is whole, and was published once",
            len(certain) - len(lost),
            holds=not wrong,
            detail="\n".join(wrong),
        )

    async def _is_whole(self, name: str, speeches: int) -> bool:
        article = await self.editor.get(f"/recap/articles/{name}")
        versions = await self.editor.get(f"/recap/articles/{name}/versions")
        return len(article["asset"]["dialogs"]) == speeches and [version["number"] for version in versions] == [1]

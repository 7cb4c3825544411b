"""Load at the newsletter desk: issues from configuration to export, edited by a person, from sources in knowledge."""

import time
from collections import Counter
from typing import Any

from calling import Caller, Journal, Refused
from report import Report
from stage import Stage, until

ISSUES, TOPICS, TEXTS, FILES = "newsletters", "chosen topics", "edited sections", "exports"
CHOSEN = ["livestock", "climate_smart", "funding", "food_security"]
STEPS = (("retrieve", "retrieval"), ("outline/generate", "outline"), ("draft/generate", "draft"))
SECONDS_FOR_A_STEP = 90
ENDED = ("succeeded", "failed", "cancelled")
SOURCES = (
    ("Livestock", "Herders in Marsabit sold 1,200 goats at the June market. Prices of livestock rose by 12 percent."),
    ("Funding", "The bank granted 40 million dollars for food security in the region. Funding begins in July 2026."),
    ("Climate", "Farmers plant drought-tolerant sorghum on 300 hectares. Climate-smart agriculture saves water."),
)


class Newsletters:
    """Two editors, each with issues of their own."""

    writers = 2

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.editors: list[Caller] = []

    @property
    def _journal(self) -> Journal:
        return self.stage.journal

    async def set_up(self) -> None:
        self.editors = [await self.stage.person(f"editor-{number}", "editor") for number in range(self.writers)]
        for name, text in SOURCES:
            await self.editors[0].send(
                "POST", "/knowledge", files={"file": (f"{name}.txt", text.encode())}, data={"visibility": "everyone"}
            )

    async def write(self, writer: int) -> None:
        """One issue as far as it gets: a step that takes too long because somebody was killed ends the round."""
        editor = self.editors[writer]
        code = (await editor.post("/newsletters", {"title": f"Issue {writer} of {time.time():.3f}"}))["code"]
        self._journal.keep(ISSUES, f"{writer} {code}")
        await self._edit(editor, "topics", TOPICS, f"{writer} {code}", f"{code}/topics", {"selected_types": CHOSEN})
        for path, step in STEPS:
            if not await self._do(editor, code, path, step):
                return
        draft = await editor.get(f"/newsletters/{code}/draft")
        if not await self._export(editor, writer, code) or not draft["sections"]:
            return
        section = draft["sections"][0]["id"]
        text = f"Written by hand at {time.time():.3f}."
        place = f"{code}/draft/sections/{section}"
        await self._edit(editor, "draft", TEXTS, f"{writer} {place}", place, {"text": text}, text)

    async def _do(self, editor: Caller, code: str, path: str, step: str) -> bool:
        started = await editor.post(f"/newsletters/{code}/{path}")
        self._journal.keep("jobs", str(started["job_id"]), "newsletter")

        async def has_ended() -> bool:
            return await self._status(editor, code, step) != "processing"

        return await until(has_ended, SECONDS_FOR_A_STEP) and await self._status(editor, code, step) == "completed"

    async def _status(self, editor: Caller, code: str, step: str) -> str:
        steps = await editor.get(f"/newsletters/{code}/progress")
        status: str = next(entry["status"] for entry in steps if entry["step"] == step)
        return status

    async def _edit(
        self, editor: Caller, of: str, kind: str, name: str, path: str, body: Any, value: Any = None
    ) -> None:
        """A change on the version that was read."""
        code = path.partition("/")[0]
        version = (await editor.send("GET", f"/newsletters/{code}/{of}")).headers["etag"]
        with self._journal.doubting(kind, name):
            await editor.send("PUT", f"/newsletters/{path}", json=body, headers={"If-Match": version})
        self._journal.keep(kind, name, value)

    async def _export(self, editor: Caller, writer: int, code: str) -> bool:
        started = await editor.post(f"/newsletters/{code}/exports/markdown")
        job = str(started["job_id"])
        self._journal.keep("jobs", job, "newsletter")
        self._journal.keep(FILES, f"{writer} {code}")

        async def has_ended() -> bool:
            return (await editor.get(f"/jobs/{job}"))["job"]["status"] in ENDED

        # A text without a source, as the next edit is, would rightly stand in its way.
        return await until(has_ended, SECONDS_FOR_A_STEP)

    async def is_at_rest(self) -> bool:
        return not await self._unfinished()

    async def _unfinished(self) -> list[str]:
        results: list[str] = []
        for name in self._journal.certain(ISSUES):
            writer, code = name.split()
            steps = await self.editors[int(writer)].get(f"/newsletters/{code}/progress")
            results += [f"{code} {step['step']}" for step in steps if step["status"] == "processing"]
        return results

    async def check(self, report: Report) -> None:
        kinds = (ISSUES, TOPICS, TEXTS)
        lost = [name for name in self._journal.certain(ISSUES) if not await self._is_there(name)]
        lost += [name for name in self._journal.certain(TOPICS) if not await self._has_topics(name)]
        lost += [name for name, text in self._journal.certain(TEXTS).items() if not await self._has_text(name, text)]
        count = sum(len(self._journal.certain(kind)) for kind in kinds)
        report.claim(
            "newsletter: issues, topics and edits are as acknowledged",
            f"{count}, {len(lost)} lost",
            holds=not lost,
            detail="\n".join(lost),
        )
        stuck = await self._unfinished()
        report.claim(
            "newsletter: no step is left half-way",
            len(self._journal.certain(ISSUES)),
            holds=not stuck,
            detail="\n".join(stuck),
        )
        await self._check_files(report)
        titles = Counter([issue["title"] for editor in self.editors for issue in await editor.every("/newsletters")])
        twice = [title for title, count in titles.items() if count > 1]
        report.claim(
            "newsletter: no repeated request began an issue twice",
            f"{titles.total()} issues, {len(twice)} twice",
            holds=not twice,
            detail="\n".join(twice),
        )

    async def _is_there(self, name: str) -> bool:
        writer, code = name.split()
        return code in {item["code"] for item in await self.editors[int(writer)].every("/newsletters")}

    async def _has_topics(self, name: str) -> bool:
        writer, code = name.split()
        topics = await self.editors[int(writer)].get(f"/newsletters/{code}/topics")
        return len(topics["selected_types"]) == len(CHOSEN)

    async def _has_text(self, name: str, text: str) -> bool:
        writer, place = name.split()
        code, _, _, section = place.split("/")
        draft = await self.editors[int(writer)].get(f"/newsletters/{code}/draft")
        return [item["text"] for item in draft["sections"] if item["id"] == section] == [text]

    async def _check_files(self, report: Report) -> None:
        files, missing = self._journal.certain(FILES), list[str]()
        for name in files:
            writer, code = name.split()
            try:
                await self.editors[int(writer)].send("GET", f"/newsletters/{code}/exports/markdown")
            except Refused:
                missing.append(name)
        report.claim(
            "newsletter: every export that was begun is a file",
            f"{len(files)}, {len(missing)} lost",
            holds=not missing,
            detail="\n".join(missing),
        )

"""Load at what all desks share: files added to knowledge, and people invited by mail."""

import asyncio
from collections import Counter

from calling import Caller
from report import Report
from stage import Stage

FILES, INVITED = "files", "invitations"
PAUSE = 0.5


class Platform:
    """One person adds files, another invites people."""

    writers = 2

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.librarian: Caller = stage.admin
        self.count = 0

    async def set_up(self) -> None:
        self.librarian = await self.stage.person("librarian", "editor")

    async def write(self, writer: int) -> None:
        self.count += 1
        await (self._add_file(self.count) if writer else self._invite(self.count))
        await asyncio.sleep(PAUSE)

    async def _add_file(self, number: int) -> None:
        text = f"Bridge number {number} near the market was mended in March. It had been unsafe since the rains."
        added = await self.librarian.send("POST", "/knowledge", files={"file": (f"bridge-{number}.txt", text.encode())})
        self.stage.journal.keep(FILES, added.json()["id"], text)

    async def _invite(self, number: int) -> None:
        email = f"guest{number}@example.org"
        with self.stage.journal.doubting(INVITED, email):
            await self.stage.admin.post("/users", {"email": email, "name": f"Guest {number}"})
        self.stage.journal.keep(INVITED, email)

    async def is_at_rest(self) -> bool:
        waiting = [
            item for item in await self.librarian.every("/knowledge") if item["status"] not in ("ready", "failed")
        ]
        queued = [await self.stage.admin.get("/mail", status=status) for status in ("queued", "sending")]
        return not waiting and not any(page["items"] for page in queued)

    async def check(self, report: Report) -> None:
        certain = self.stage.journal.certain(FILES)
        lost = [name for name, text in certain.items() if not await self._is_readable(name, text)]
        report.claim(
            "knowledge: every file is there and can be cited once",
            f"{len(certain)}, {len(lost)} lost",
            holds=not lost,
            detail="\n".join(lost),
        )
        names = Counter(item["file_name"] for item in await self.librarian.every("/knowledge"))
        twice = [name for name, count in names.items() if count > 1]
        report.claim(
            "knowledge: no repeated request added a file twice",
            f"{names.total()} files, {len(twice)} twice",
            holds=not twice,
            detail="\n".join(twice),
        )
        invited = self.stage.journal.certain(INVITED)
        people = {user["email"] for user in await self.stage.admin.every("/users")}
        missing = [email for email in invited if email not in people]
        report.claim(
            "accounts: everybody who was invited has an account",
            f"{len(invited)}, {len(missing)} lost",
            holds=not missing,
            detail="\n".join(missing),
        )
        taken = {email: count for email, count in self.stage.office.taken.items() if email.startswith("guest")}
        again = [email for email, count in taken.items() if count > 1]
        report.claim(
            "accounts: nobody was invited twice",
            f"{len(taken)} mails, {len(again)} twice",
            holds=not again,
            detail="\n".join(again),
        )

    async def _is_readable(self, source_id: str, text: str) -> bool:
        chunks = await self.librarian.every(f"/knowledge/{source_id}/chunks")
        return [chunk["text"] for chunk in chunks] == [text]

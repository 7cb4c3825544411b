"""The outbox folder stores each mail completely and once, and lists them newest first."""

import asyncio
from pathlib import Path

import pytest

from almanac.errors import NotFound, SettingError, Unavailable
from almanac.mail.outbox import OutboxFolder
from almanac.mail.port import Envelope, MailDeferred


def mail(number: int, subject: str = "Hi") -> Envelope:
    raw = f"Subject: {subject}\r\n\r\nHi\r\n".encode()
    return Envelope(str(number), f"<{number:03}@example.org>", "desk@example.org", ("a@x.org", "b@x.org"), raw)


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_a_mail_is_a_file_that_mail_programs_open(tmp_path: Path) -> None:
    await OutboxFolder(tmp_path).send(mail(1))
    assert (tmp_path / "001@example.org.eml").read_bytes().endswith(mail(1).raw)


async def test_the_same_mail_sent_by_many_at_once_is_one_file(tmp_path: Path) -> None:
    outbox = OutboxFolder(tmp_path)
    await asyncio.gather(*(outbox.send(mail(1)) for _ in range(20)))
    assert names_in(tmp_path) == ["001@example.org.eml"]


async def test_the_folder_is_listed_newest_first_in_pages(tmp_path: Path) -> None:
    outbox = OutboxFolder(tmp_path)
    for number in range(5):
        await outbox.send(mail(number, subject=f"=?utf-8?q?N=C2=BA?= {number}"))
    first = await outbox.entries(limit=3)
    rest = await outbox.entries(limit=3, after=first.next_cursor)
    assert [e.subject for e in first.items + rest.items] == ["Nº 4", "Nº 3", "Nº 2", "Nº 1", "Nº 0"]
    assert rest.next_cursor is None
    assert (first.items[0].message_id, first.items[0].recipients) == ("<004@example.org>", ("a@x.org", "b@x.org"))


async def test_a_message_id_can_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    outbox = OutboxFolder(tmp_path / "outbox")
    (tmp_path / "secret.eml").write_text("secret")
    with pytest.raises(NotFound):
        await outbox.read("<../secret>")


async def test_a_folder_that_went_away_puts_mail_off_and_fails_the_check(tmp_path: Path) -> None:
    outbox = OutboxFolder(tmp_path / "outbox")
    (tmp_path / "outbox").rmdir()
    with pytest.raises(MailDeferred, match="can't be written"):
        await outbox.send(mail(1))
    with pytest.raises(Unavailable, match="can't be written"):
        await outbox.check()


def test_a_folder_that_can_not_be_made_is_a_wrong_setting(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(SettingError, match="can't be made"):
        OutboxFolder(tmp_path / "taken" / "outbox")

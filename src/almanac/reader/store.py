"""Every read and write of which person checked which sentence."""

from datetime import datetime

from almanac.accounts.model import Principal
from almanac.reader.model import SentenceVerdict
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


async def lock_document(unit: Unit, desk: str, document: str) -> None:
    """Wait until no other transaction changes verdicts on the document."""
    await unit.execute(QUERIES["lock_document"], {"desk": desk, "document": document})


async def insert_verdict(
    unit: Unit, desk: str, document: str, sentence: str, principal: Principal, now: datetime
) -> bool:
    """Whether it is new; a second verdict of the same person on a sentence changes nothing."""
    name = principal.name or principal.email or principal.user_id
    params = {
        "desk": desk,
        "document": document,
        "sentence": sentence,
        "user_id": principal.user_id,
        "name": name,
        "now": now,
    }
    return await unit.execute(QUERIES["insert_verdict"], params) == 1


async def delete_verdict(unit: Unit, desk: str, document: str, sentence: str, user_id: str | None) -> bool:
    """Whether there was one; of everybody if `user_id` is None."""
    params = {"desk": desk, "document": document, "sentence": sentence, "user_id": user_id}
    return await unit.execute(QUERIES["delete_verdict"], params) > 0


async def list_verdicts(reading: ReadTransaction, desk: str, document: str) -> dict[str, list[SentenceVerdict]]:
    """All verdicts on a document by the key of the sentence."""
    params = {"desk": desk, "document": document}
    verdicts: dict[str, list[SentenceVerdict]] = {}
    for verdict in await reading.all(QUERIES["list_verdicts"], params, into=SentenceVerdict):
        verdicts.setdefault(verdict.sentence, []).append(verdict)
    return verdicts


async def delete_document_verdicts(unit: Unit, desk: str, document: str) -> None:
    """Delete the verdicts on a document; no error if it has none."""
    await unit.execute(QUERIES["delete_document_verdicts"], {"desk": desk, "document": document})

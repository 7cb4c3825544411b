"""The verbs of the reader: how far a document is checked, check a sentence, take that back.

The audit log gets an entry when a person begins with a document and when its last sentence is checked, not one for each
sentence.
"""

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject, DetailValue
from almanac.errors import Conflict, NotAllowed, NotFound
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.reader import store
from almanac.reader.model import ReadableDocument, ReadableSentence, ReadingProgress
from almanac.relational import Database, Unit


async def get_progress(database: Database, document: ReadableDocument) -> ReadingProgress:
    """The document with everybody's verdicts on its sentences."""
    async with database.reading() as reading:
        return ReadingProgress(document, await store.list_verdicts(reading, document.desk, document.id))


async def check_sentence(
    database: Database, clock: Clock, principal: Principal, document: ReadableDocument, key: str
) -> ReadingProgress:
    """Keep that the person checked a sentence. Idempotent.

    Conflict if no sentence of the document has the key any more, or if its source contradicts it.
    """
    if principal.via == "automation":
        raise NotAllowed(gettext("Only a person can confirm a sentence; sign in and read it."))
    sentence = require_sentence(document, key)
    if sentence.refusal:
        raise Conflict(sentence.refusal)
    async with database.unit() as unit:
        before = await _locked_progress(unit, document)
        if not await store.insert_verdict(unit, document.desk, document.id, key, principal, clock.now()):
            return before
        after = ReadingProgress(document, await store.list_verdicts(unit, document.desk, document.id))
        own = [verdict for verdicts in before.verdicts.values() for verdict in verdicts]
        if not any(principal.owns(verdict.user_id) for verdict in own):
            await _record(unit, clock, principal, after, "reader.started")
        if after.checked == after.total > before.checked:
            await _record(unit, clock, principal, after, "reader.finished")
    return after


async def withdraw_verdict(
    database: Database, clock: Clock, principal: Principal, document: ReadableDocument, key: str
) -> ReadingProgress:
    """Take the person's own verdict back; others' stay. NotFound if there is none."""
    async with database.unit() as unit:
        before = await _locked_progress(unit, document)
        if not await store.delete_verdict(unit, document.desk, document.id, key, principal.user_id):
            raise NotFound(gettext("You haven't checked this sentence; reload the page."))
        after = ReadingProgress(document, await store.list_verdicts(unit, document.desk, document.id))
        if before.checked == before.total > after.checked:
            await _record(unit, clock, principal, after, "reader.reopened")
    return after


def require_sentence(document: ReadableDocument, key: str) -> ReadableSentence:
    """The sentence with this key. Conflict if it or its source was changed."""
    sentence = document.find(key)
    if sentence is None:
        raise Conflict(gettext("This sentence or its source was changed since; reload and read it again."))
    return sentence


async def _locked_progress(unit: Unit, document: ReadableDocument) -> ReadingProgress:
    await store.lock_document(unit, document.desk, document.id)
    return ReadingProgress(document, await store.list_verdicts(unit, document.desk, document.id))


async def _record(unit: Unit, clock: Clock, principal: Principal, progress: ReadingProgress, action: str) -> None:
    document = progress.document
    detail: dict[str, DetailValue] = {"checked": progress.checked, "sentences": progress.total, "part": document.part}
    subject = AuditSubject(document.kind, document.id)
    await audit.record(unit, clock, AuditAction(principal.actor, action, subject, detail=detail))

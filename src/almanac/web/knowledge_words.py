"""What pages and API of knowledge share: who looks at it, how its states are called, and the audit of its changes."""

from collections.abc import Mapping

from almanac.accounts.model import Principal
from almanac.audit.model import AuditSubject
from almanac.knowledge import KnowledgeSource, KnowledgeViewer, SourceKind, SourceStatus, Visibility
from almanac.services import Services
from almanac.web import deeds

STATUS_TONES: Mapping[SourceStatus, str] = {
    SourceStatus.WAITING: "waiting",
    SourceStatus.READING: "running",
    SourceStatus.READY: "done",
    SourceStatus.FAILED: "failed",
}
KIND_WORDS: Mapping[SourceKind, str] = {SourceKind.FILE: "File", SourceKind.URL: "Page", SourceKind.FEED: "Feed"}
VISIBILITY_WORDS: Mapping[Visibility, str] = {
    Visibility.MINE: "Only its owner",
    Visibility.EVERYONE: "Everyone here",
}


def viewer_of(principal: Principal) -> KnowledgeViewer:
    """On whose behalf a request reads or changes knowledge."""
    return KnowledgeViewer(principal.user_id)


async def record_change(services: Services, principal: Principal, action: str, source: KnowledgeSource) -> None:
    """Write a change of a source into the audit log."""
    await deeds.record(
        services, principal, f"knowledge.{action}", AuditSubject("knowledge", source.id), kind=source.kind
    )

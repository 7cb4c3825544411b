"""What stays the same when a source is read again: identities of sources and documents, and the ids of chunks.

A chunk's id is a hash of what its document is and of its words, so the same words in the same place have one id for
ever, and a change elsewhere in the document does not touch it.
"""

import hashlib
import unicodedata

from almanac.knowledge.model import SourceKind

_HEX = 32


def source_identity(owner_id: str, kind: SourceKind, name: str) -> str:
    """Whose it is, what kind it is, and its file name or plain address."""
    return f"{owner_id}\n{kind}\n{unicodedata.normalize('NFC', name)}"


def document_id(identity: str, key: str) -> str:
    """The id of a document: of the source's only one, or of a feed's entry by its key."""
    return _digest("document", identity, key)


def chunk_id(identity: str, key: str, text: str) -> str:
    """The id of a passage; spaces, line breaks and forms of the same character make no difference."""
    return _digest("chunk", identity, key, " ".join(unicodedata.normalize("NFKC", text).split()))


def _digest(*parts: str) -> str:
    framed = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(framed.encode("utf-8", "surrogatepass")).hexdigest()[:_HEX]

"""Archives that only a passphrase opens: AES-256-GCM in numbered chunks, with a key made from the passphrase by scrypt.

Each chunk is sealed with its number and with whether it is the last, so that a chunk that was changed, moved, repeated
or cut off is noticed before anything is made of it.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from almanac.errors import InputError
from almanac.kit.messages import gettext

MAGIC = b"ALMANAC-SEALED-1"
CHUNK = 1 << 18
_SALT, _PREFIX, _TAG = 16, 7, 16
_COST_POWER = 16
_COSTS = range(14, 21)
_HEADER = len(MAGIC) + 1 + _SALT + _PREFIX


class BackupDamaged(InputError, code="backup_damaged"):
    """The archive is not whole; nothing was restored from it."""


class PassphraseNeeded(InputError, code="passphrase_needed"):
    """An encrypted archive without a passphrase, or with another one."""


@dataclass(slots=True)
class _Seal:
    """The cipher of one archive and the number of its next chunk."""

    cipher: AESGCM
    header: bytes
    number: int = 0

    def nonce(self, *, last: bool) -> bytes:
        nonce = self.header[-_PREFIX:] + self.number.to_bytes(4) + bytes([last])
        self.number += 1
        return nonce


def _seal(passphrase: str, header: bytes) -> _Seal:
    cost, salt = header[len(MAGIC)], header[len(MAGIC) + 1 :][:_SALT]
    key = Scrypt(salt=salt, length=32, n=1 << cost, r=8, p=1).derive(passphrase.encode())
    return _Seal(AESGCM(key), header)


def is_encrypted(path: Path) -> bool:
    """Whether a file begins like an archive of ours that needs a passphrase."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


class EncryptingWriter:
    """A file to write to, whose content goes encrypted into another; `close` seals the last chunk."""

    def __init__(self, target: IO[bytes], passphrase: str) -> None:
        header = MAGIC + bytes([_COST_POWER]) + os.urandom(_SALT + _PREFIX)
        self._target, self._seal, self._rest = target, _seal(passphrase, header), bytearray()
        target.write(header)

    def write(self, data: bytes) -> int:
        self._rest += data
        while len(self._rest) > CHUNK:
            self._put(bytes(self._rest[:CHUNK]), last=False)
            del self._rest[:CHUNK]
        return len(data)

    def flush(self) -> None:
        """Chunks are whole or not there; nothing to do."""

    def close(self) -> None:
        self._put(bytes(self._rest), last=True)
        self._rest.clear()

    def _put(self, chunk: bytes, *, last: bool) -> None:
        self._target.write(self._seal.cipher.encrypt(self._seal.nonce(last=last), chunk, self._seal.header))


class DecryptingReader:
    """Reads what an EncryptingWriter wrote. Nothing of a chunk is given out before its seal was checked."""

    def __init__(self, source: IO[bytes], passphrase: str, name: str) -> None:
        header = source.read(_HEADER)
        if len(header) < _HEADER or header[len(MAGIC)] not in _COSTS:
            raise BackupDamaged(
                gettext("%(name)s is cut off or not encrypted by Almanac. Use another backup.", name=name)
            )
        self._source, self._name, self._seal = source, name, _seal(passphrase, header)
        self._plain, self._ahead, self._ended = bytearray(), source.read(CHUNK + _TAG), False

    def read(self, size: int = -1) -> bytes:
        while not self._ended and (size < 0 or len(self._plain) < size):
            self._open_next()
        piece = bytes(self._plain[:size]) if size >= 0 else bytes(self._plain)
        del self._plain[: len(piece)]
        return piece

    def _open_next(self) -> None:
        sealed, self._ahead = self._ahead, self._source.read(CHUNK + _TAG)
        first, self._ended = self._seal.number == 0, not self._ahead
        try:
            self._plain += self._seal.cipher.decrypt(self._seal.nonce(last=self._ended), sealed, self._seal.header)
        except InvalidTag as error:
            if first:
                raise PassphraseNeeded(
                    gettext(
                        "%(name)s can't be opened: ALMANAC_BACKUP_PASSPHRASE isn't the one it was made with, or the "
                        "archive is damaged.",
                        name=self._name,
                    )
                ) from error
            raise BackupDamaged(
                gettext("%(name)s was changed or cut off after it was made. Use another backup.", name=self._name)
            ) from error

"""An encrypted archive opens with its passphrase only, and any change of it is found."""

import io
import os

import pytest

from almanac.backup import BackupDamaged, make_backup, restore_backup, verify_archive
from almanac.backup.encryption import CHUNK, DecryptingReader, EncryptingWriter, PassphraseNeeded, is_encrypted
from almanac.errors import InputError

PASSPHRASE = "correct horse battery staple"
HEADER, SEALED = 40, CHUNK + 16


def seal(content):
    target = io.BytesIO()
    writer = EncryptingWriter(target, PASSPHRASE)
    for start in range(0, len(content), 100_000):
        writer.write(content[start : start + 100_000])
    writer.close()
    return target.getvalue()


def unseal(sealed, passphrase=PASSPHRASE):
    return DecryptingReader(io.BytesIO(sealed), passphrase, "a.tar.gz.enc").read()


@pytest.fixture(scope="module")
def content():
    return os.urandom(3 * CHUNK + 1000)


@pytest.fixture(scope="module")
def sealed(content):
    return seal(content)


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK])
def test_every_size_comes_back(size):
    plain = os.urandom(size)
    assert unseal(seal(plain)) == plain


def test_the_same_content_is_never_the_same_twice(content):
    assert seal(content) != seal(content)


def test_another_passphrase_opens_nothing(sealed):
    with pytest.raises(PassphraseNeeded, match="isn't the one it was made with"):
        unseal(sealed, "correct horse battery stapler")


def parts(sealed):
    body = sealed[HEADER:]
    return [body[start : start + SEALED] for start in range(0, len(body), SEALED)]


CHANGES = {
    "cut off in a chunk": lambda h, p: h + b"".join(p)[:-10],
    "cut off between chunks": lambda h, p: h + b"".join(p[:-1]),
    "only the header": lambda h, p: h,
    "half a header": lambda h, p: h[:20],
    "two chunks exchanged": lambda h, p: h + p[0] + p[2] + p[1] + p[3],
    "a chunk left out": lambda h, p: h + p[0] + p[2] + p[3],
    "a chunk twice": lambda h, p: h + p[0] + p[0] + p[1] + p[2] + p[3],
    "more after the end": lambda h, p: h + b"".join(p) + b"more",
    "a bit of a chunk": lambda h, p: h + p[0] + bytes([p[1][0] ^ 1]) + p[1][1:] + p[2] + p[3],
    "a bit of the salt": lambda h, p: h[:20] + bytes([h[20] ^ 1]) + h[21:] + b"".join(p),
    "a cost that no machine has": lambda h, p: h[:16] + b"\x3f" + h[17:] + b"".join(p),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_is_found(sealed, change):
    with pytest.raises(InputError):
        unseal(change(sealed[:HEADER], parts(sealed)))


def test_a_chunk_of_another_archive_is_refused(sealed, content):
    other = seal(content)
    with pytest.raises(BackupDamaged):
        unseal(sealed[:HEADER] + parts(sealed)[0] + b"".join(parts(other)[1:]))


async def test_a_backup_is_restored_with_its_passphrase_only(filled, database, tmp_path):
    report = await make_backup(filled, tmp_path / "all.tar.gz.enc", passphrase=PASSPHRASE)
    assert is_encrypted(report.path)
    assert b"news_links" not in report.path.read_bytes()
    with pytest.raises(PassphraseNeeded, match="is encrypted"):
        await restore_backup(filled, report.path)
    with pytest.raises(PassphraseNeeded):
        verify_archive(report.path, passphrase="something else")
    await filled.objects.put("a/one.txt", b"changed")
    await restore_backup(filled, report.path, passphrase=PASSPHRASE)
    assert len(await filled.objects.get("a/one.txt")) == 1_024_000
    assert report.path.stat().st_mode & 0o777 == 0o600

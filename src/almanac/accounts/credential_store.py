"""Every read and write of passkeys, second factors and sign-in challenges, by name; rules are the callers' business."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from almanac.accounts.second_factors import Passkey
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__, "credentials.sql")


class ChallengePurpose(StrEnum):
    """What a challenge was made for; it is good for nothing else."""

    SECOND_STEP = "second_step"
    NEW_PASSKEY = "new_passkey"
    PASSKEY = "passkey"
    NEW_APP = "new_app"


@dataclass(frozen=True, slots=True)
class Challenge:
    """What was asked, of whom, and how they had come in so far."""

    user_id: str | None
    secret: bytes = field(repr=False)
    method: str = ""


@dataclass(frozen=True, slots=True)
class StoredPasskey:
    """What a passkey's answer is checked against."""

    id: str
    user_id: str
    public_key: bytes = field(repr=False)
    sign_count: int


@dataclass(frozen=True, slots=True)
class StoredSecondFactor:
    """A person who signs in in two steps; `totp_step` is the half minute of the latest code."""

    since: datetime
    totp_sealed: bytes | None = field(repr=False)
    totp_step: int


async def add_passkey(
    unit: Unit,
    *,
    passkey_id: str,
    user_id: str,
    credential_id: bytes,
    public_key: bytes,
    sign_count: int,
    name: str,
    now: datetime,
) -> None:
    """A passkey that a browser has just made."""
    row = {"id": passkey_id, "user_id": user_id, "credential_id": credential_id, "public_key": public_key}
    await unit.execute(QUERIES["add_passkey"], {**row, "sign_count": sign_count, "name": name, "now": now})


async def list_passkeys(reading: ReadTransaction, user_id: str) -> list[Passkey]:
    """A person's passkeys, the oldest first."""
    return await reading.all(QUERIES["list_passkeys"], {"user_id": user_id}, into=Passkey)


async def list_credential_ids(reading: ReadTransaction, user_id: str) -> list[bytes]:
    """What browsers know a person's passkeys by."""
    rows = await reading.all(QUERIES["credential_ids_of"], {"user_id": user_id})
    return [bytes(row["credential_id"]) for row in rows]


async def lock_passkey(unit: Unit, credential_id: bytes) -> StoredPasskey | None:
    """The passkey that a browser names, kept from changing until the transaction ends."""
    return await unit.one(QUERIES["lock_passkey"], {"credential_id": credential_id}, into=StoredPasskey)


async def use_passkey(unit: Unit, passkey_id: str, sign_count: int, now: datetime) -> None:
    """Note a use of a passkey."""
    await unit.execute(QUERIES["use_passkey"], {"id": passkey_id, "sign_count": sign_count, "now": now})


async def rename_passkey(unit: Unit, passkey_id: str, user_id: str, name: str) -> bool:
    """A passkey's new name; False if the person has no such passkey."""
    params = {"id": passkey_id, "user_id": user_id, "name": name}
    return await unit.execute(QUERIES["rename_passkey"], params) == 1


async def remove_passkey(unit: Unit, passkey_id: str, user_id: str) -> bool:
    """Take a passkey away from its person; False if they have no such passkey."""
    return await unit.execute(QUERIES["remove_passkey"], {"id": passkey_id, "user_id": user_id}) == 1


async def remove_passkeys(unit: Unit, user_id: str) -> int:
    """Take all passkeys away from a person."""
    return await unit.execute(QUERIES["remove_passkeys"], {"user_id": user_id})


async def find_second_factor(reading: ReadTransaction, user_id: str) -> StoredSecondFactor | None:
    """None if the person signs in in one step."""
    return await reading.one(QUERIES["find_second_factor"], {"user_id": user_id}, into=StoredSecondFactor)


async def lock_second_factor(unit: Unit, user_id: str) -> StoredSecondFactor | None:
    """The same, kept from changing until the transaction ends, so that no code works twice at once."""
    return await unit.one(QUERIES["lock_second_factor"], {"user_id": user_id}, into=StoredSecondFactor)


async def start_second_factor(unit: Unit, user_id: str, *, sealed: bytes | None, step: int, now: datetime) -> None:
    """From now on the person signs in in two steps; if they do already, only the app is replaced."""
    params = {"user_id": user_id, "sealed": sealed, "step": step, "now": now}
    await unit.execute(QUERIES["start_second_factor"], params)


async def save_totp_step(unit: Unit, user_id: str, step: int) -> None:
    """The half minute of the latest code that was used."""
    await unit.execute(QUERIES["save_totp_step"], {"user_id": user_id, "step": step})


async def end_second_factor(unit: Unit, user_id: str) -> bool:
    """The person signs in in one step again, and has no recovery codes; False if they did already."""
    await unit.execute(QUERIES["remove_recovery_codes"], {"user_id": user_id})
    return await unit.execute(QUERIES["end_second_factor"], {"user_id": user_id}) == 1


async def replace_recovery_codes(unit: Unit, user_id: str, hashes: list[str]) -> None:
    """New recovery codes; the former ones stop working."""
    await unit.execute(QUERIES["remove_recovery_codes"], {"user_id": user_id})
    for code_hash in hashes:
        await unit.execute(QUERIES["add_recovery_code"], {"user_id": user_id, "code_hash": code_hash})


async def use_recovery_code(unit: Unit, user_id: str, code_hash: str, now: datetime) -> bool:
    """Use a recovery code up. Of any number of attempts at once, one gets True."""
    params = {"user_id": user_id, "code_hash": code_hash, "now": now}
    return await unit.execute(QUERIES["use_recovery_code"], params) == 1


async def count_recovery_codes(reading: ReadTransaction, user_id: str) -> int:
    """How many recovery codes a person has left."""
    return int(await reading.value(QUERIES["count_recovery_codes"], {"user_id": user_id}))


async def add_challenge(
    unit: Unit, token_hash: str, purpose: ChallengePurpose, challenge: Challenge, expires_at: datetime
) -> None:
    """What a browser must answer in time."""
    row = {"user_id": challenge.user_id, "secret": challenge.secret, "method": challenge.method}
    params = {**row, "token_hash": token_hash, "purpose": purpose, "expires_at": expires_at}
    await unit.execute(QUERIES["add_challenge"], params)


async def find_challenge(
    reading: ReadTransaction, token_hash: str, purpose: ChallengePurpose, now: datetime
) -> Challenge | None:
    """A challenge that can still be answered."""
    params = {"token_hash": token_hash, "purpose": purpose, "now": now}
    return await reading.one(QUERIES["find_challenge"], params, into=Challenge)


async def take_challenge(unit: Unit, token_hash: str, purpose: ChallengePurpose, now: datetime) -> Challenge | None:
    """Take a challenge out. Of any number of answers at once, one gets it."""
    params = {"token_hash": token_hash, "purpose": purpose, "now": now}
    return await unit.one(QUERIES["take_challenge"], params, into=Challenge)


async def delete_expired_challenges(unit: Unit, now: datetime) -> int:
    """Remove challenges that nobody answered."""
    return await unit.execute(QUERIES["sweep_challenges"], {"now": now})


async def prove_session(unit: Unit, session_id: str, now: datetime) -> None:
    """Note that the person has proven again who they are."""
    await unit.execute(QUERIES["prove_session"], {"id": session_id, "now": now})


async def has_identity(reading: ReadTransaction, user_id: str) -> bool:
    """Whether a person is connected to an identity of single sign-on."""
    return bool(await reading.value(QUERIES["has_identity"], {"id": user_id}))

"""Which passwords are refused, and how hashes are made, checked and renewed."""

from unicodedata import normalize

import pytest
from argon2 import PasswordHasher
from hypothesis import given
from hypothesis import strategies as st

from almanac.accounts.passwords import LONGEST, PasswordHashes, PasswordMatch, normalize_password, password_problem


def problem(password: str) -> str | None:
    return password_problem(password, email="ada.lovelace@engine.example", name="Ada Lovelace")


@pytest.mark.parametrize(
    "password", ["violet kettle 97 harbour", "!#%&/()=?+*;", "正しい馬の電池の留め金", "mX4-kkq-97b-tt"]
)
def test_an_unusual_password_is_welcome(password):
    assert problem(password) is None


@pytest.mark.parametrize("password", ["", "short", "ninechars"])
def test_a_short_password_is_refused_with_advice(password):
    assert problem(password) == "Use at least 10 characters; three or four unrelated words work well."


def test_an_endless_password_is_refused():
    assert problem("x1y2" * LONGEST) == "Use at most 200 characters."


@pytest.mark.parametrize(
    "password",
    [
        "password123",
        "P@ssw0rd2024!",
        "QWERTYUIOP",
        "1234567890",
        "letmein-2025",
        "passwordpassword",
        "abcabcabcabc",
        "aaaaaaaaaaab",
        "Welcome2026!!",
        "correcthorsebatterystaple",
    ],
)
def test_a_common_password_is_refused_however_it_is_decorated(password):
    assert problem(password) == "This password is too common; choose one that nobody else would."


@pytest.mark.parametrize("password", ["adalovelace", "Ada.Lovelace1", "ada.lovelace@engine.example", "lovelace-99"])
def test_a_password_made_of_ones_name_or_address_is_refused(password):
    assert problem(password) == "This password is too close to your name or e-mail address; choose another."


@given(st.text(), st.text(), st.text())
def test_any_text_gets_a_verdict(password, email, name):
    verdict = password_problem(password, email=email, name=name)
    assert verdict is None or verdict.endswith((".", ";"))


@pytest.fixture
def passwords() -> PasswordHashes:
    return PasswordHashes(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


async def test_only_the_right_password_fits(passwords):
    stored = await passwords.hash("violet kettle")
    assert await passwords.matches(stored, "violet kettle")
    assert not await passwords.matches(stored, "violet kettle ")


async def test_nothing_fits_where_nothing_is_stored(passwords):
    assert not await passwords.matches(None, "nobody has this password")


async def test_a_damaged_hash_fits_nothing(passwords):
    assert not await passwords.matches("$argon2id$broken", "violet kettle")


async def test_half_a_surrogate_pair_is_a_password_like_any_other(passwords):
    assert await passwords.matches(await passwords.hash("\ud800 kettle"), "\ud800 kettle")


async def test_a_hash_of_another_cost_is_outdated(passwords):
    stored = await passwords.hash("violet kettle")
    dearer = PasswordHashes(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    assert await passwords.matches(stored, "violet kettle") is PasswordMatch.WELL
    assert await dearer.matches(stored, "violet kettle") is PasswordMatch.BY_AN_OUTDATED_HASH


async def test_the_hash_is_argon2id_with_its_own_salt(passwords):
    first, second = await passwords.hash("violet kettle"), await passwords.hash("violet kettle")
    assert first.startswith("$argon2id$")
    assert first != second


COMPOSED, DECOMPOSED = "Crème brûlée à Zürich", normalize("NFD", "Crème brûlée à Zürich")


async def test_accents_may_be_typed_as_any_system_types_them(passwords):
    assert COMPOSED != DECOMPOSED
    assert await passwords.matches(await passwords.hash(COMPOSED), DECOMPOSED) is PasswordMatch.WELL
    assert await passwords.matches(await passwords.hash(DECOMPOSED), COMPOSED) is PasswordMatch.WELL


async def test_a_space_is_a_space_whichever_key_made_it(passwords):
    stored = await passwords.hash("violet\u00a0kettle\u3000harbour")
    assert await passwords.matches(stored, "violet kettle harbour") is PasswordMatch.WELL


@pytest.mark.parametrize(("first", "other"), [("x²-kettle", "x2-kettle"), ("Kettle", "kettle"), ("ﬁddle", "fiddle")])
async def test_characters_that_people_tell_apart_stay_apart(passwords, first, other):
    assert not await passwords.matches(await passwords.hash(first), other)


async def test_a_hash_of_what_was_typed_fits_until_it_is_made_anew(passwords):
    stored = passwords.hasher.hash(DECOMPOSED)
    assert await passwords.matches(stored, DECOMPOSED) is PasswordMatch.BY_AN_OUTDATED_HASH
    assert not await passwords.matches(stored, "something else, à la carte")


def test_length_is_counted_in_characters_as_people_see_them():
    assert problem(normalize("NFD", "éèêëçàôûïü")) is None
    assert problem(normalize("NFD", "éèêëçàôûï")).startswith("Use at least 10")
    assert problem(normalize("NFD", "éèêëçàôûïü" * 20)) is None


@given(st.text())
def test_preparing_twice_changes_nothing_more(password):
    assert normalize_password(normalize_password(password)) == normalize_password(password)

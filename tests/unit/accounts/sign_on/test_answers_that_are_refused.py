"""An answer that is forged, stale, replayed or meant for somebody else opens nothing."""

import asyncio
from dataclasses import replace

import pytest
from joserfc.jwk import OctKey, RSAKey

from almanac.accounts import service
from almanac.errors import SignInNeeded, Unavailable


async def sessions(database) -> int:
    async with database.unit() as unit:
        return await unit.value("SELECT count(*) FROM sessions")


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another client"},
        {"aud": ["almanac", "another client"]},
        {"aud": ["almanac", "another client"], "azp": "another client"},
        {"azp": "another client"},
        {"iss": "http://another.example"},
        {"exp": 1_700_000_000},
        {"exp": None},
        {"iat": 4_000_000_000},
        {"sub": None},
        {"sub": 7},
        {"email": 7},
    ],
    ids=str,
)
async def test_wrong_claims_are_refused(issuer, database, sign_on, claims):
    issuer.claims = claims
    with pytest.raises(SignInNeeded, match="start again"):
        await sign_on()
    assert await sessions(database) == 0


async def test_a_token_for_several_parties_is_fine_when_we_are_the_one_meant(issuer, sign_on, database):
    issuer.claims = {"aud": ["almanac", "another client"], "azp": "almanac"}
    await sign_on()
    assert await sessions(database) == 1


async def test_a_token_signed_by_another_key_is_refused(issuer, sign_on):
    issuer.key = RSAKey.generate_key(2048, {"kid": "one"})
    with pytest.raises(SignInNeeded, match="can't be trusted"):
        await sign_on()


async def test_a_token_signed_with_the_client_secret_is_refused(issuer, sign_on):
    issuer.key, issuer.algorithm = OctKey.import_key("a secret with: signs & spaces" * 2), "HS256"
    with pytest.raises(SignInNeeded, match="can't be trusted"):
        await sign_on()


async def test_keys_that_were_rotated_since_the_last_sign_on_are_fetched_anew(issuer, sign_on, database):
    await sign_on()
    issuer.published = RSAKey.generate_key(2048, {"kid": "one"})
    await sign_on()
    assert await sessions(database) == 2


async def test_an_answer_in_another_browser_is_refused(accounts, at_issuer, visit):
    start = await service.begin_sign_on(accounts)
    answer = await at_issuer(start.url)
    for browser_state in (None, "", "another", "ü"):
        with pytest.raises(SignInNeeded, match="started elsewhere"):
            await service.finish_sign_on(accounts, **answer, browser_state=browser_state, visit=visit)


async def test_an_answer_that_was_never_asked_for_is_refused(accounts, visit):
    with pytest.raises(SignInNeeded, match="started elsewhere"):
        await service.finish_sign_on(accounts, code="x", state="made-up", browser_state="made-up", visit=visit)


async def test_an_answer_that_takes_too_long_is_refused(accounts, clock, at_issuer, visit):
    start = await service.begin_sign_on(accounts)
    answer = await at_issuer(start.url)
    clock.advance(minutes=10)
    with pytest.raises(SignInNeeded, match="took too long"):
        await service.finish_sign_on(accounts, **answer, browser_state=start.state, visit=visit)


async def test_one_answer_many_times_at_once_opens_one_session(accounts, database, at_issuer, visit):
    start = await service.begin_sign_on(accounts)
    answer = await at_issuer(start.url)
    uses = [service.finish_sign_on(accounts, **answer, browser_state=start.state, visit=visit) for _ in range(10)]
    results = await asyncio.gather(*uses, return_exceptions=True)
    assert sum(isinstance(result, SignInNeeded) for result in results) == 9
    assert await sessions(database) == 1


async def test_a_code_of_another_sign_on_is_refused(accounts, at_issuer, visit):
    mine, theirs = await service.begin_sign_on(accounts), await service.begin_sign_on(accounts)
    answer = await at_issuer(mine.url) | {"code": (await at_issuer(theirs.url))["code"]}
    with pytest.raises(SignInNeeded, match="didn't accept"):
        await service.finish_sign_on(accounts, **answer, browser_state=mine.state, visit=visit)


async def test_an_issuer_that_names_itself_differently_is_refused(issuer, accounts):
    issuer.url = "http://another.example"
    with pytest.raises(Unavailable, match="check ALMANAC_OIDC_ISSUER"):
        await service.begin_sign_on(accounts)


@pytest.mark.parametrize("address", ["http://127.0.0.1:{closed}", "http://127.0.0.1:{closed}/a\x00b", "http://["])
async def test_an_issuer_that_does_not_answer_is_one_sentence(accounts, unused_tcp_port, address):
    silent = replace(accounts.oidc, issuer=address.format(closed=unused_tcp_port))
    with pytest.raises(Unavailable, match="doesn't answer; try again in a moment"):
        await service.begin_sign_on(replace(accounts, oidc=silent))


async def test_nothing_secret_shows_in_what_is_logged(accounts):
    start = await service.begin_sign_on(accounts)
    assert start.state not in repr(start)
    assert accounts.oidc.client_secret not in repr(accounts)

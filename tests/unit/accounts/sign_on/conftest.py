"""A small but real OpenID Connect issuer on loopback, whose answers a test can bend."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from aiohttp import BasicAuth, web
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey

from almanac.accounts import service
from almanac.accounts.model import SignInClient
from almanac.accounts.oidc import OidcProvider
from almanac.accounts.port import Accounts
from almanac.accounts.sign_on_rules import SignOnRules
from almanac.kit.clock import FixedClock

CLIENT_ID, CLIENT_SECRET = "almanac", "a secret with: signs & spaces"
REDIRECT_URI = "http://almanac.test/sign-on/return"


@dataclass
class Issuer:
    """What the issuer knows. Tests change `person`, `claims`, `key`, `algorithm` and the rest before a sign-on."""

    clock: FixedClock
    published: RSAKey
    url: str = ""
    person: dict[str, object] = field(
        default_factory=lambda: {"sub": "s-1", "email": "ada@example.org", "email_verified": True, "name": "Ada"}
    )
    claims: dict[str, object] = field(default_factory=dict)
    key: RSAKey | OctKey | None = None
    algorithm: str = "RS256"
    only_userinfo: bool = False
    auth_methods: tuple[str, ...] = ("client_secret_basic",)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/.well-known/openid-configuration", self.describe),
            web.get("/authorize", self.authorize),
            web.post("/token", self.redeem),
            web.get("/keys", self.publish),
            web.get("/userinfo", self.userinfo),
        ]

    async def describe(self, request: web.Request) -> web.Response:
        description = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "token_endpoint_auth_methods_supported": list(self.auth_methods),
        }
        return web.json_response(description)

    async def authorize(self, request: web.Request) -> web.Response:
        """The person is signed in here already and agrees at once."""
        asked = dict(request.query)
        assert asked["client_id"] == CLIENT_ID
        assert asked["redirect_uri"] == REDIRECT_URI
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        raise web.HTTPFound(f"{REDIRECT_URI}?{urlencode({'code': code, 'state': asked['state']})}")

    async def redeem(self, request: web.Request) -> web.Response:
        form = await request.post()
        asked = self.codes.pop(str(form.get("code")), None)
        proven = create_s256_code_challenge(str(form.get("code_verifier")))
        if asked is None or proven != asked["code_challenge"] or not self.knows(request, form):
            return web.json_response({"error": "invalid_grant"}, status=400)
        answer = {"access_token": "access", "token_type": "Bearer", "id_token": self.id_token(asked["nonce"])}
        return web.json_response(answer)

    def knows(self, request: web.Request, form) -> bool:
        if "client_secret_basic" in self.auth_methods:
            given = BasicAuth.decode(request.headers["Authorization"])
            return (given.login, given.password) == (CLIENT_ID, CLIENT_SECRET)
        return (form.get("client_id"), form.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET)

    def id_token(self, nonce: str) -> str:
        now = int(self.clock.now().timestamp())
        person = {"sub": self.person["sub"]} if self.only_userinfo else self.person
        claims = {"iss": self.url, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": nonce, **person}
        claims = {name: value for name, value in {**claims, **self.claims}.items() if value is not None}
        header = {"alg": self.algorithm, "kid": "one"}
        return jwt.encode(header, claims, self.key or self.published, algorithms=[self.algorithm])

    async def publish(self, request: web.Request) -> web.Response:
        return web.json_response(KeySet([self.published]).as_dict(private=False))

    async def userinfo(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bearer access"
        return web.json_response(self.person)


@pytest.fixture(scope="session")
def issuer_key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": "one"})


@pytest.fixture
async def issuer(clock: FixedClock, issuer_key: RSAKey, loopback: Any) -> AsyncIterator[Issuer]:
    issuer = Issuer(clock, issuer_key)
    async with loopback(*issuer.routes()) as issuer.url:
        yield issuer


@pytest.fixture
def rules() -> SignOnRules:
    """Tests replace this to change who is let in."""
    return SignOnRules(domains=frozenset({"example.org"}))


@pytest.fixture
def accounts(accounts: Accounts, issuer: Issuer, clock: FixedClock, rules: SignOnRules) -> Accounts:
    """Accounts registered at the issuer."""
    provider = OidcProvider(
        issuer=issuer.url,
        client_id=CLIENT_ID,
        client_secret=CLIENT_SECRET,
        redirect_uri=REDIRECT_URI,
        clock=clock,
        groups_claim="groups" if rules.grants else None,
    )
    return replace(accounts, oidc=provider, sign_on_rules=rules)


@pytest.fixture
def at_issuer() -> Callable[[str], Awaitable[dict[str, str]]]:
    """Follows the browser to the issuer and back; returns what comes back in the address."""

    async def follow(url: str) -> dict[str, str]:
        async with httpx.AsyncClient(verify=False) as browser:
            response = await browser.get(url)
        assert response.status_code == 302
        return {name: values[0] for name, values in parse_qs(urlsplit(response.headers["location"]).query).items()}

    return follow


@pytest.fixture
def sign_on(accounts: Accounts, at_issuer, visit: SignInClient) -> Callable[[], Awaitable[service.SignedOn]]:
    """A whole sign-on."""

    async def run(return_to: str = "/", visit: SignInClient = visit) -> service.SignedOn:
        start = await service.begin_sign_on(accounts, return_to=return_to)
        answer = await at_issuer(start.url)
        return await service.finish_sign_on(accounts, **answer, browser_state=start.state, visit=visit)

    return run

"""OpenID Connect as a relying party: authorization code with PKCE and nonce, and the checks on the answer.

Which account an identity belongs to is decided in `service.sign_on`; nothing here touches storage.
"""

import ssl
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

import aiohttp
import msgspec
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from almanac.accounts.sign_on_rules import read_groups
from almanac.errors import SignInNeeded, Unavailable
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext

SCOPE = "openid email profile"
# Only signatures that need the issuer's private key; the client secret must never be able to forge an identity.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
LEEWAY_SECONDS = 60
TIMEOUT_SECONDS = 10
_NO_SENSE = gettext("The single sign-on service's answer can't be read; try again later.")
_UNTRUSTED = gettext("The single sign-on service's answer can't be trusted; start again.")
_T = TypeVar("_T")


class OidcDiscovery(msgspec.Struct, frozen=True):
    """What we use of an issuer's description of itself."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: list[str] = msgspec.field(default_factory=lambda: ["client_secret_basic"])


class OidcTokens(msgspec.Struct, frozen=True):
    """What we use of the issuer's answer to the code."""

    id_token: str
    access_token: str | None = None


class OidcClaims(msgspec.Struct, frozen=True):
    """What we use of an identity's claims."""

    sub: str
    email: str | None = None
    # Some issuers write the flag as text.
    email_verified: bool | str = False
    name: str | None = None
    azp: str | None = None
    aud: str | list[str] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcIdentity:
    """Somebody the issuer vouches for. An address that is not verified proves nothing."""

    issuer: str
    subject: str
    email: str | None
    email_verified: bool
    name: str | None
    groups: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcProvider:
    """One issuer at which we are registered."""

    issuer: str
    client_id: str
    redirect_uri: str
    clock: Clock
    client_secret: str | None = field(default=None, repr=False)
    scope: str = SCOPE
    groups_claim: str | None = None

    async def authorization_url(self, *, state: str, nonce: str, verifier: str, again: bool = False) -> str:
        """Where to send the browser; `again` asks the issuer to have the person prove who they are once more."""
        async with _client() as client:
            discovery = await self._discover(client)
        return str(
            prepare_grant_uri(
                discovery.authorization_endpoint,
                client_id=self.client_id,
                response_type="code",
                redirect_uri=self.redirect_uri,
                scope=self.scope,
                state=state,
                nonce=nonce,
                code_challenge=create_s256_code_challenge(verifier),
                code_challenge_method="S256",
                **({"prompt": "login", "max_age": "0"} if again else {}),
            )
        )

    async def identify(self, *, code: str, nonce: str, verifier: str) -> OidcIdentity:
        """Trade the code for an identity that was checked in every respect."""
        async with _client() as client:
            discovery = await self._discover(client)
            answer = await self._redeem(client, discovery, code, verifier)
            keys = await _get(client, discovery.jwks_uri, dict[str, object])
            given = self._checked(answer.id_token, keys, discovery.issuer, nonce)
            if discovery.userinfo_endpoint and answer.access_token and self._needs_userinfo(given):
                given = await _with_userinfo(client, discovery.userinfo_endpoint, answer.access_token, given)
        claims = _convert(given)
        return OidcIdentity(
            issuer=discovery.issuer,
            subject=claims.sub,
            email=claims.email,
            email_verified=claims.email_verified in (True, "true"),
            name=claims.name,
            groups=self._groups(given) or frozenset(),
        )

    def _groups(self, claims: dict[str, object]) -> frozenset[str] | None:
        return read_groups(claims, self.groups_claim) if self.groups_claim else frozenset()

    def _needs_userinfo(self, claims: dict[str, object]) -> bool:
        """Some issuers tell the address or the groups only on request."""
        return claims.get("email") is None or self._groups(claims) is None

    async def _discover(self, client: aiohttp.ClientSession) -> OidcDiscovery:
        base = self.issuer.rstrip("/")
        discovery = await _get(client, f"{base}/.well-known/openid-configuration", OidcDiscovery)
        if discovery.issuer.rstrip("/") != base:
            raise Unavailable(
                gettext("The single sign-on service names itself differently; check ALMANAC_OIDC_ISSUER.")
            )
        return discovery

    async def _redeem(
        self, client: aiohttp.ClientSession, discovery: OidcDiscovery, code: str, verifier: str
    ) -> OidcTokens:
        body = prepare_token_request(
            "authorization_code", redirect_uri=self.redirect_uri, code=code, code_verifier=verifier
        )
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        uri, headers, body = ClientAuth(self.client_id, self.client_secret, self._auth_method(discovery)).prepare(
            "POST", discovery.token_endpoint, headers, body
        )
        response = await _send(client, "POST", uri, headers=headers, content=body)
        if 400 <= response.status < 500:
            raise SignInNeeded(gettext("The single sign-on service didn't accept the sign-in; start again."))
        return _read(response, OidcTokens)

    def _auth_method(self, discovery: OidcDiscovery) -> str:
        if self.client_secret is None:
            return "none"
        basic = "client_secret_basic" in discovery.token_endpoint_auth_methods_supported
        return "client_secret_basic" if basic else "client_secret_post"

    def _checked(self, id_token: str, keys: dict[str, object], issuer: str, nonce: str) -> dict[str, object]:
        rules = jwt.JWTClaimsRegistry(
            now=int(self.clock.now().timestamp()),
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": self.client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            key_set = KeySet.import_key_set(keys)  # type: ignore[arg-type] # the library checks the form itself
            token = jwt.decode(id_token, key_set, algorithms=ALGORITHMS)
            rules.validate(token.claims)
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise SignInNeeded(_UNTRUSTED) from error
        self._check_audience(_convert(token.claims))
        return token.claims

    def _check_audience(self, claims: OidcClaims) -> None:
        """A token made for several parties must say that it was made for us to use."""
        several = isinstance(claims.aud, list) and len(claims.aud) > 1
        if claims.azp != self.client_id and (several or claims.azp is not None):
            raise SignInNeeded(gettext("The single sign-on service's answer was meant for somebody else; start again."))


@dataclass(frozen=True, slots=True)
class _OidcAnswer:
    status: int
    body: bytes


def _client() -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(ssl=_trust())
    return aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS))


@cache
def _trust() -> ssl.SSLContext:
    """Reading the certificates takes long enough to hold up other requests, so it happens once."""
    return ssl.create_default_context()


async def _with_userinfo(
    client: aiohttp.ClientSession, url: str, access_token: str, claims: dict[str, object]
) -> dict[str, object]:
    """The claims with those that the issuer tells only on request; an answer about somebody else adds nothing."""
    userinfo = _read(
        await _send(client, "GET", url, headers={"Authorization": f"Bearer {access_token}"}), dict[str, object]
    )
    return {**claims, **userinfo} if userinfo.get("sub") == claims["sub"] else claims


def _convert(claims: dict[str, object]) -> OidcClaims:
    try:
        return msgspec.convert(claims, OidcClaims)
    except msgspec.ValidationError as error:
        raise SignInNeeded(_UNTRUSTED) from error


async def _get(client: aiohttp.ClientSession, url: str, kind: type[_T]) -> _T:
    return _read(await _send(client, "GET", url), kind)


async def _send(
    client: aiohttp.ClientSession,
    method: str,
    url: str,
    *,
    headers: dict[str, str] | None = None,
    content: str | None = None,
) -> _OidcAnswer:
    try:
        async with client.request(method, url, headers=headers, data=content, allow_redirects=False) as response:
            return _OidcAnswer(response.status, await response.read())
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        raise Unavailable(gettext("The single sign-on service doesn't answer; try again in a moment.")) from error


def _read(answer: _OidcAnswer, kind: type[_T]) -> _T:
    try:
        if answer.status == 200:
            return msgspec.json.decode(answer.body, type=kind)
    except msgspec.MsgspecError as error:
        raise Unavailable(_NO_SENSE) from error
    raise Unavailable(_NO_SENSE)

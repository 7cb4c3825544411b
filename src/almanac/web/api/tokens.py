"""API: API tokens."""

from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Query, Request, Response
from pydantic import AwareDatetime, Field

from almanac.accounts import service as accounts
from almanac.accounts.model import ApiToken, Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.idempotency.route import AtomicRoute
from almanac.http.problems import documented_problems

router = APIRouter(prefix=f"{API_PREFIX}/tokens", tags=["tokens"], route_class=AtomicRoute)

Owner = Annotated[Principal, require("tokens.own")]


class TokenBody(ApiModel):
    """A token without its secret."""

    id: str
    user_id: str
    name: str
    prefix: str = Field(description="The public part of the secret, to tell tokens apart.")
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None

    @classmethod
    def from_model(cls, token: ApiToken) -> Self:
        fields = {name: getattr(token, name) for name in cls.model_fields}
        return cls(**{**fields, "scopes": sorted(token.scopes)})


class NewTokenBody(TokenBody):
    """A new token with its secret, which is shown only once."""

    secret: str

    @classmethod
    def with_secret(cls, token: ApiToken, secret: str) -> Self:
        return cls(secret=secret, **TokenBody.from_model(token).model_dump())


class TokenRequest(ApiModel):
    """A token to create."""

    name: Text
    scopes: list[Text] = Field(examples=[["read"]], max_length=50)
    expires_at: AwareDatetime | None = None
    owner_id: Text | None = Field(None, description="For another user, if you manage tokens.")


@router.get("")
async def list_tokens(
    request: Request, principal: Owner, user_id: Annotated[Text | None, Query()] = None
) -> Listed[TokenBody]:
    """List your own tokens, or those of a user if you manage tokens."""
    tokens = await accounts.list_tokens(get_state(request).services.accounts, principal, user_id=user_id)
    return Listed(items=[TokenBody.from_model(token) for token in tokens], next_cursor=None)


@router.post("", status_code=201, responses=documented_problems(409))
async def create_token(request: Request, response: Response, body: TokenRequest, principal: Owner) -> NewTokenBody:
    """Create a token. The secret is only in this response."""
    token = await accounts.create_token(get_state(request).services.accounts, principal, **body.model_dump())
    response.headers["Location"] = f"{API_PREFIX}/tokens/{token.token.id}"
    return NewTokenBody.with_secret(token.token, token.secret)


@router.delete("/{token_id}", status_code=204)
async def revoke_token(request: Request, token_id: Id, principal: Owner) -> None:
    """Revoke a token. Repeating it is fine."""
    await accounts.revoke_token(get_state(request).services.accounts, principal, token_id)

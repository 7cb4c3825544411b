"""API: groups of people who compare themselves with each other; nobody is in one who did not join."""

from datetime import datetime

from fastapi import Request

from almanac.desks.habits.api.dependencies import Reader, Writer, new_router
from almanac.desks.habits.service import leaderboard
from almanac.http.api_models import ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state

router = new_router()


class GroupWish(ApiModel):
    """A group to begin."""

    name: Text


class GroupBody(ApiModel):
    """A group; whoever is given its id may join."""

    id: str
    name: str
    owner_id: str
    members: int
    created_at: datetime


def _body(group: object) -> GroupBody:
    return GroupBody.model_validate({name: getattr(group, name) for name in GroupBody.model_fields})


@router.get("/groups")
async def list_groups(request: Request, principal: Reader) -> Listed[GroupBody]:
    """The groups one takes part in."""
    return Listed(
        items=[_body(one) for one in await leaderboard.list_groups(get_state(request).services, principal)],
        next_cursor=None,
    )


@router.post("/groups", status_code=201)
async def create_group(request: Request, wish: GroupWish, principal: Writer) -> GroupBody:
    """Begin a group and take part in it."""
    return _body(await leaderboard.create_group(get_state(request).services, principal, wish.name))


@router.post("/groups/{group_id}/join")
async def join_group(request: Request, group_id: Id, principal: Writer) -> GroupBody:
    """Take part in a group."""
    return _body(await leaderboard.join_group(get_state(request).services, principal, group_id))


@router.post("/groups/{group_id}/leave", status_code=204)
async def leave_group(request: Request, group_id: Id, principal: Writer) -> None:
    """Take part no more; nothing that was earned is lost."""
    await leaderboard.leave_group(get_state(request).services, principal, group_id)

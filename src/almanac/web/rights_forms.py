"""Rights at desks as forms show and send them: check boxes by desk and action, and where else a right comes from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from almanac.accounts.fields import clean_actions
from almanac.accounts.model import Team, User
from almanac.accounts.permissions import ACTIONS, PERSONAL_DATA, desk_permission
from almanac.accounts.service import DeskAccess
from almanac.http.desk import Desk
from almanac.http.jinja import ROLE_NAMES
from almanac.kit.messages import gettext

ACTION_LABELS = {
    "read": gettext("See"),
    "write": gettext("Write"),
    "approve": gettext("Approve"),
    "send": gettext("Send"),
    "administer": gettext("Administer"),
}
ACTION_WORDS: Mapping[str, str] = {
    "read": gettext("see"),
    "write": gettext("write"),
    "approve": gettext("approve"),
    "send": gettext("send"),
    "administer": gettext("administer"),
}
COLUMNS = [{"key": action, "label": ACTION_LABELS[action]} for action in ACTIONS]


@dataclass(frozen=True, slots=True, kw_only=True)
class RightsRow:
    """A row of check boxes. `sources` tells beside a box what gives the right already."""

    desk: str
    chosen: Sequence[str]
    sources: dict[str, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantRow:
    """A person or a team on the page of a desk; `fixed` where whoever looks may not change it."""

    id: str
    name: str
    note: str
    href: str
    chosen: Sequence[str]
    sources: dict[str, list[str]]
    fixed: bool = False


def parse_rights(values: Iterable[str], desks: Sequence[Desk]) -> dict[str, tuple[str, ...]]:
    """The chosen actions of each desk from values such as `news:write`; desks without a value have none."""
    pairs = [value.partition(":") for value in values]
    return {desk.name: clean_actions(action for name, _, action in pairs if name == desk.name) for desk in desks}


def person_row(access: DeskAccess) -> RightsRow:
    """A person's rights at a desk: ticked is what is theirs, named is what teams add."""
    base = access.default if access.own is None else access.own
    teams = {
        action: [name for name in names if name not in ("role", "own")] for action, names in access.sources.items()
    }
    return RightsRow(desk=access.desk, chosen=base, sources=teams)


def role_row(desk: str, chosen: Sequence[str]) -> RightsRow:
    """What a role gives at a desk, to change before it is given."""
    return RightsRow(desk=desk, chosen=chosen, sources={})


def team_row(team: Team, desk: str) -> RightsRow:
    """A team's rights at a desk."""
    return RightsRow(desk=desk, chosen=_team_actions(team, desk), sources={})


def person_grant(user: User, access: DeskAccess, *, fixed: bool) -> GrantRow:
    """A person on the page of a desk."""
    row = person_row(access)
    role = ROLE_NAMES[user.role]
    if access.own is not None:
        note = gettext("%(email)s, %(role)s, own rights", email=user.email, role=role)
    else:
        note = gettext("%(email)s, %(role)s, by role", email=user.email, role=role)
    return GrantRow(
        id=user.id,
        name=user.name,
        note=note,
        href=f"/desks/{access.desk}/rights/people/{user.id}",
        chosen=row.chosen,
        sources=row.sources,
        fixed=fixed,
    )


def team_grant(team: Team, desk: str) -> GrantRow:
    """A team on the page of a desk."""
    return GrantRow(
        id=team.id,
        name=team.name,
        note=team.description,
        href=f"/desks/{desk}/rights/teams/{team.id}",
        chosen=_team_actions(team, desk),
        sources={},
    )


def describe_team(team: Team, desks: Sequence[Desk]) -> list[tuple[str, list[str]]]:
    """A team's rights in words: the title of each desk where it has some, and what it may do there."""
    lines = ((desk.title, [ACTION_WORDS[action] for action in _team_actions(team, desk.name)]) for desk in desks)
    return [(title, words) for title, words in lines if words]


def personal_data(desk: str) -> str:
    """What a desk holds about people who aren't users; empty if nothing."""
    return PERSONAL_DATA.get(desk, "")


def _team_actions(team: Team, desk: str) -> list[str]:
    return [action for action in ACTIONS if desk_permission(desk, action) in team.rights]

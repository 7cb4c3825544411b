"""Who may come in by single sign-on, and what the issuer's groups give them: pure rules on settings and claims."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from almanac.accounts.permissions import Role

TEAM_PREFIX = "team:"
# From the least to the most that a role may do; of several groups the one that gives most counts.
_RANK = (Role.MEMBER, Role.EDITOR, Role.APPROVER, Role.ADMIN)


@dataclass(frozen=True, slots=True)
class GroupGrant:
    """What one group of the issuer gives: a role or a place in a team."""

    group: str
    role: Role | None = None
    team: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOnRules:
    """By default only people who already have an account come in, and groups mean nothing."""

    domains: frozenset[str] = frozenset()
    grants: tuple[GroupGrant, ...] = ()
    group_required: bool = True

    @property
    def decides_roles(self) -> bool:
        """Whether roles follow the issuer's groups."""
        return any(grant.role for grant in self.grants)

    def has_group(self, groups: Iterable[str]) -> bool:
        """Whether any of the groups gives something here."""
        return bool({grant.group for grant in self.grants} & set(groups))

    def admits(self, groups: Iterable[str]) -> bool:
        """Whether somebody in these groups may come in at all, account or not."""
        return not self.grants or not self.group_required or self.has_group(groups)

    def admits_newcomer(self, email: str, groups: Iterable[str]) -> bool:
        """Whether somebody without an account gets one."""
        return email.rpartition("@")[2] in self.domains or self.has_group(groups)

    @property
    def teams(self) -> frozenset[str]:
        """Every team that a group gives a place in."""
        return frozenset(grant.team for grant in self.grants if grant.team)

    def teams_for(self, groups: Iterable[str]) -> frozenset[str]:
        """The teams that these groups give a place in."""
        held = set(groups)
        return frozenset(grant.team for grant in self.grants if grant.team and grant.group in held)

    def role_for(self, groups: Iterable[str]) -> Role:
        """The role that the groups give; a member's if they give none."""
        held = set(groups)
        roles = [grant.role for grant in self.grants if grant.role and grant.group in held]
        return max(roles, key=_RANK.index, default=Role.MEMBER)


def parse_domains(text: str) -> frozenset[str]:
    """Domains separated by commas, in lower case; a leading @ is fine."""
    return frozenset(part.strip().lower().removeprefix("@") for part in text.split(",") if part.strip())


def parse_grants(text: str) -> tuple[GroupGrant, ...]:
    """`editors=editor,finance=team:Accounts` as grants. ValueError, as the end of a sentence, for anything else."""
    return tuple(_parse_grant(part.strip()) for part in text.split(",") if part.strip())


def _parse_grant(part: str) -> GroupGrant:
    group, _, gift = (piece.strip() for piece in part.rpartition("="))
    if group and gift.startswith(TEAM_PREFIX) and gift.removeprefix(TEAM_PREFIX).strip():
        return GroupGrant(group, team=gift.removeprefix(TEAM_PREFIX).strip())
    if not group or gift not in set(Role):
        raise ValueError(f"has “{part}”, which isn't a group with a role ({', '.join(Role)}) or a team, as in a=team:B")
    return GroupGrant(group, role=Role(gift))


def read_groups(claims: Mapping[str, object], claim: str) -> frozenset[str] | None:
    """The groups in a claim, which may be a path such as realm_access.roles; None if there is no such claim."""
    value: object = claims.get(claim)
    if value is None:
        value = claims
        for name in claim.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        return frozenset(value.replace(",", " ").split())
    return frozenset(group for group in value if isinstance(group, str)) if isinstance(value, list) else None

"""Audit entries as people read them: a sentence with names and amounts, and every detail with its label.

Names are looked up when an entry is shown, because an entry can't be removed and a name may have to be. What is gone,
or what this person may not see, is left out of its sentence.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import InvalidOperation

from almanac.accounts.model import AUTOMATION, CONSOLE, Principal
from almanac.accounts.permissions import Role
from almanac.audit import service as audit
from almanac.audit.model import SYSTEM, AuditEntry, AuditSubject, DetailValue
from almanac.audit.sentences import PLATFORM_ACTIONS, ActionGroup
from almanac.http.desk import Desk
from almanac.http.jinja import ROLE_NAMES
from almanac.kit.messages import gettext, join_texts, refill
from almanac.kit.money import Money
from almanac.services import Services
from almanac.setup.model import STEPS

_PRODUCT = "Almanac"
# Not people, but they act: what their entries call them.
ACTOR_NAMES = {
    SYSTEM.id: _PRODUCT,
    AUTOMATION.user_id: _PRODUCT,
    CONSOLE.user_id: gettext("The command line"),
}
VIA_LABELS = {
    "session": gettext("On the pages"),
    "token": gettext("With an API token"),
    "automation": gettext("By itself"),
    "system": gettext("By itself"),
    "console": gettext("On the command line"),
    "sign_on": gettext("By single sign-on"),
    "link": gettext("By a link in a mail"),
}
_PEOPLE_IN_DETAILS = {"member": "person", "heir": "heir"}
# Their ids are what they are called.
_SELF_NAMED = frozenset({"news", "job", "reminders.invoice"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLine:
    """An entry with its sentence, which is the plain code where the code has none, and the figures beside it."""

    entry: AuditEntry
    sentence: str
    figures: Sequence[str | Money]
    actor: str
    subject: str


class AuditReader:
    """Describes entries for one person; the names of all entries of a page are looked up together."""

    def __init__(self, services: Services, desks: Sequence[Desk], principal: Principal) -> None:
        self._services = services
        self._desks = desks
        self._principal = principal
        groups = list_action_groups(desks)
        self._sentences = {code: text for group in groups for code, text in group.sentences.items()}
        self._steps = {step.name: step.title for step in STEPS}

    async def describe(self, entries: Sequence[AuditEntry]) -> list[AuditLine]:
        """Each entry as a line, in the same order."""
        names = await self._find_names(entries)
        return [self._describe(entry, names) for entry in entries]

    def _describe(self, entry: AuditEntry, names: Mapping[AuditSubject, str]) -> AuditLine:
        slots = self._fill_slots(entry, names)
        pattern = self._sentences.get(entry.action)
        return AuditLine(
            entry=entry,
            sentence=refill(pattern, slots) if pattern is not None else entry.action,
            figures=[*_list_figures(entry), *self._list_step(entry)],
            actor=slots.get("actor", entry.actor_id),
            subject=slots.get("name") or slots.get("person") or slots.get("customer") or "",
        )

    def _fill_slots(self, entry: AuditEntry, names: Mapping[AuditSubject, str]) -> dict[str, str]:
        actor = names.get(AuditSubject("user", entry.actor_id)) or ACTOR_NAMES.get(entry.actor_id)
        slots: dict[str, str] = {"actor": actor} if actor else {}
        subject = AuditSubject(entry.object_type, entry.object_id)
        if name := names.get(subject) or self._own_name(entry):
            slots |= {"person": name} if entry.object_type == "user" else {"name": name}
            if entry.object_type.endswith(".customer"):
                slots["customer"] = name
        slots |= {
            _PEOPLE_IN_DETAILS.get(key, key): names[mentioned]
            for key, mentioned in _mentions(entry)
            if mentioned in names
        }
        for desk in self._desks:
            if entry.action in desk.audit_sentences:
                slots |= desk.audit_slots(entry)
        return slots

    def _own_name(self, entry: AuditEntry) -> str:
        if entry.object_type == "schedule":
            return self._services.jobs.title_of(entry.object_id)
        title = entry.detail.get("title")
        if isinstance(title, str):
            return title
        return entry.object_id if entry.object_type in _SELF_NAMED else ""

    def _list_step(self, entry: AuditEntry) -> list[str]:
        return [self._steps[entry.object_id]] if entry.object_type == "setup" and entry.object_id in self._steps else []

    async def _find_names(self, entries: Iterable[AuditEntry]) -> dict[AuditSubject, str]:
        subjects = {subject for entry in entries for subject in _subjects_of(entry)}
        names = await audit.list_subject_names(self._services.database, {subject.id for subject in subjects})
        by_kind: dict[str, set[str]] = defaultdict(set)
        for subject in subjects:
            by_kind[subject.type].add(subject.id)
        for desk in self._desks:
            if not self._principal.may(desk.read_permission):
                continue
            for kind, namer in desk.audit_namers.items():
                if by_kind[kind]:
                    named = await namer(self._services, self._principal, by_kind[kind])
                    names |= {AuditSubject(kind, name_id): name for name_id, name in named.items()}
        return names


def list_action_groups(desks: Sequence[Desk]) -> list[ActionGroup]:
    """Every action that has a sentence, by area."""
    return [*PLATFORM_ACTIONS, *(ActionGroup(desk.title, desk.audit_sentences) for desk in desks)]


def _subjects_of(entry: AuditEntry) -> list[AuditSubject]:
    return [
        AuditSubject("user", entry.actor_id),
        AuditSubject(entry.object_type, entry.object_id),
        *(mentioned for _, mentioned in _mentions(entry)),
    ]


def _mentions(entry: AuditEntry) -> list[tuple[str, AuditSubject]]:
    """What else an entry names by id: people, and things of the desk whose kinds begin like its own."""
    area = entry.object_type.partition(".")[0]
    return [
        (key, AuditSubject("user" if key in _PEOPLE_IN_DETAILS else f"{area}.{key}", value))
        for key, value in entry.detail.items()
        if isinstance(value, str) and (key in _PEOPLE_IN_DETAILS or "." in entry.object_type)
    ]


def _list_figures(entry: AuditEntry) -> list[str | Money]:
    detail = entry.detail
    figures: list[str | Money] = []
    if money := _money(detail):
        figures.append(money)
    if roles := [ROLE_NAMES[Role(role)] for name in ("role", "old_role", "new_role") if (role := _role(detail, name))]:
        figures.append(join_texts(roles, " → "))
    return figures


def _money(detail: Mapping[str, DetailValue]) -> Money | None:
    amount, currency = detail.get("amount"), detail.get("currency")
    try:
        return Money.parse(str(amount), str(currency)) if amount and currency else None
    except (ValueError, InvalidOperation):
        return None


def _role(detail: Mapping[str, DetailValue], name: str) -> str:
    role = detail.get(name)
    return role if isinstance(role, str) and role in list(Role) else ""

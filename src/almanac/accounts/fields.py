"""The rules for what people type about an account: e-mail address, name, role, preferences, token name and scopes."""

from collections.abc import Iterable

from almanac.accounts.model import Preferences
from almanac.accounts.permissions import ACTIONS, SCOPES, Role, scope_permissions
from almanac.errors import FieldErrors, NotFound
from almanac.kit.catalogs import INTERFACE_LANGUAGES
from almanac.kit.dates import is_time_zone
from almanac.kit.messages import gettext
from almanac.kit.text import one_line, storable
from almanac.kit.time_zones import describe_unknown_zone

THEMES = ("light", "dark", "system")
LONGEST_NAME, LONGEST_EMAIL = 100, 254


def normal_email(email: str) -> str:
    """The spelling under which an address is stored and looked up."""
    return email.strip().lower()


def is_email(email: str) -> bool:
    """Whether the text has the form of an address; a host without a dot is fine on a private network."""
    local, at, domain = email.rpartition("@")
    labels = domain.split(".")
    return bool(
        at
        and local
        and len(email) <= LONGEST_EMAIL
        and "@" not in local
        and email.isprintable()
        and " " not in email
        and not set(email) & set('<>()[],;:\\"')
        and all(label and not label.startswith("-") and not label.endswith("-") for label in labels)
    )


def clean_email(email: str) -> str:
    """The address in its stored spelling, or a sentence on what is wrong."""
    email = normal_email(email)
    if not is_email(email):
        raise FieldErrors({"email": gettext("Enter an e-mail address like ada@example.org.")})
    return email


def clean_name(name: str, field: str = "name") -> str:
    """The name on one line, or a sentence on what is wrong."""
    name = one_line(name)
    if not name or not is_storable(name):
        raise FieldErrors({field: gettext("Enter a name.")})
    if len(name) > LONGEST_NAME:
        raise FieldErrors({field: gettext("Use at most %(limit)s characters.", limit=LONGEST_NAME)})
    return name


def clean_role(role: str) -> Role:
    """The role of that name, or a sentence that lists them."""
    try:
        return Role(role)
    except ValueError:
        raise FieldErrors({"role": gettext("Choose one of %(values)s.", values=", ".join(Role))}) from None


def clean_preferences(preferences: Preferences) -> Preferences:
    """The preferences if each is one we know, or a sentence for each that isn't."""
    wrong: dict[str, str] = {}
    if preferences.theme not in THEMES:
        wrong["theme"] = gettext("Choose one of %(values)s.", values=", ".join(THEMES))
    if preferences.language and preferences.language not in INTERFACE_LANGUAGES:
        wrong["language"] = gettext("Choose one of %(values)s.", values=", ".join(INTERFACE_LANGUAGES))
    if preferences.time_zone is not None and not is_time_zone(preferences.time_zone):
        wrong["time_zone"] = describe_unknown_zone(preferences.time_zone)
    if wrong:
        raise FieldErrors(wrong)
    return preferences


def clean_desk(desk: str, enabled: frozenset[str]) -> str:
    """The desk of that name, if it is switched on."""
    if desk not in enabled:
        raise NotFound(gettext("This desk does not exist or is switched off."))
    return desk


def clean_actions(actions: Iterable[str]) -> tuple[str, ...]:
    """The actions in their usual order, or a sentence on what is wrong. Whoever may do anything also sees."""
    chosen = set(actions)
    if unknown := sorted(chosen - set(ACTIONS)):
        raise FieldErrors(
            {
                "actions": gettext(
                    "There is no action %(unknown)s; use %(actions)s.", unknown=unknown[0], actions=", ".join(ACTIONS)
                )
            }
        )
    if chosen:
        chosen.add("read")
    return tuple(action for action in ACTIONS if action in chosen)


def clean_scopes(scopes: Iterable[str], permissions: frozenset[str]) -> frozenset[str]:
    """The scopes if all are known and each is of some use with these permissions, or a sentence on what is wrong."""
    chosen = frozenset(scopes)
    if not chosen:
        raise FieldErrors({"scopes": gettext("Choose at least one scope.")})
    if unknown := sorted(chosen - set(SCOPES)):
        raise FieldErrors(
            {
                "scopes": gettext(
                    "There is no scope %(unknown)s; use one of %(scopes)s.",
                    unknown=unknown[0],
                    scopes=", ".join(SCOPES),
                )
            }
        )
    if useless := sorted(s for s in chosen if not scope_permissions([s]) & permissions):
        raise FieldErrors(
            {"scopes": gettext("Their rights don't include anything of the scope %(useless)s.", useless=useless[0])}
        )
    return chosen


def is_storable(text: str) -> bool:
    """Whether PostgreSQL can hold the text: no zero characters and no halves of surrogate pairs."""
    return storable(text) == text


def safe_return_path(path: str) -> str:
    """A path of ours to go to after signing in; anything that could lead elsewhere becomes the home page."""
    local = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if local else "/"

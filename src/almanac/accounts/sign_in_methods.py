"""The ways in, and whether a way proves enough by itself."""

from enum import StrEnum

from almanac.accounts.permissions import Role


class SignInMethod(StrEnum):
    """How a session was made."""

    PASSWORD = "password"  # noqa: S105 - the name of a way in
    LINK = "link"
    PASSKEY = "passkey"
    SIGN_ON = "sign_on"
    LOCAL = "local"
    UNKNOWN = "unknown"


# A passkey proves possession and the person at once; the issuer of single sign-on asks for what it wants itself.
WHOLE_METHODS = frozenset({SignInMethod.PASSKEY, SignInMethod.SIGN_ON, SignInMethod.LOCAL})


def needs_enrolment(role: Role, method: str, *, two_step: bool, required: frozenset[Role]) -> bool:
    """Whether a person must first set up a second factor before they do anything else."""
    return role in required and not two_step and method not in WHOLE_METHODS

"""WebAuthn ceremonies on py_webauthn: what the browser is asked, and the check of what it answers. No storage."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import webauthn
from webauthn.helpers import parse_authentication_credential_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from almanac.accounts.passkey_site import PasskeySite
from almanac.errors import InputError, SignInNeeded
from almanac.kit.messages import gettext

NAME = "Almanac"
# What a browser sends that isn't a credential at all can fail anywhere in the library.
_UNREADABLE = (WebAuthnException, ValueError, KeyError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class NewCredential:
    """A passkey that a browser has just made."""

    credential_id: bytes
    public_key: bytes
    sign_count: int


@dataclass(frozen=True, slots=True)
class Assertion:
    """What a browser claims: a passkey and, for a passkey that names its person, whose it is."""

    credential_id: bytes
    user_handle: str | None
    raw: str


def registration_options(
    site: PasskeySite, challenge: bytes, *, user_id: str, email: str, name: str, existing: Sequence[bytes]
) -> dict[str, object]:
    """What `navigator.credentials.create` is asked: a passkey that names its person and checks who holds it."""
    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name=NAME,
        user_id=user_id.encode(),
        user_name=email,
        user_display_name=name,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=credential) for credential in existing],
    )
    return _as_json(webauthn.options_to_json(options))


def request_options(site: PasskeySite, challenge: bytes, *, allowed: Sequence[bytes] = ()) -> dict[str, object]:
    """What `navigator.credentials.get` is asked; without `allowed` the person chooses among all of theirs."""
    options = webauthn.generate_authentication_options(
        rp_id=site.host,
        challenge=challenge,
        allow_credentials=[PublicKeyCredentialDescriptor(id=credential) for credential in allowed],
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return _as_json(webauthn.options_to_json(options))


def verify_registration(site: PasskeySite, challenge: bytes, credential: str) -> NewCredential:
    """The new passkey, if the browser made it for this challenge on this site. InputError otherwise."""
    try:
        verified = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except _UNREADABLE as error:
        raise InputError(gettext("This passkey couldn't be checked; try again.")) from error
    return NewCredential(verified.credential_id, verified.credential_public_key, verified.sign_count)


def read_assertion(credential: str) -> Assertion:
    """What the browser claims, unchecked. SignInNeeded if it isn't a passkey's answer at all."""
    try:
        parsed = parse_authentication_credential_json(credential)
        handle = parsed.response.user_handle
        return Assertion(parsed.raw_id, handle.decode() if handle else None, credential)
    except _UNREADABLE as error:
        raise _refusal() from error


def verify_assertion(
    site: PasskeySite, challenge: bytes, assertion: Assertion, *, public_key: bytes, sign_count: int
) -> int:
    """The new count of uses, if the passkey answered this challenge on this site. SignInNeeded otherwise.

    A count that doesn't rise means that the passkey was copied.
    """
    try:
        verified = webauthn.verify_authentication_response(
            credential=assertion.raw,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
            require_user_verification=True,
        )
    except _UNREADABLE as error:
        raise _refusal() from error
    return verified.new_sign_count


def _refusal() -> SignInNeeded:
    return SignInNeeded(
        gettext("This passkey doesn't open an account here; try another, or sign in with your password.")
    )


def _as_json(text: str) -> dict[str, object]:
    options: dict[str, object] = json.loads(text)
    return options

"""Finds AWS credentials: in the environment, otherwise through botocore's provider chain if it is installed."""

import importlib
import os
import threading
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any, Protocol

from tablature.errors import TablatureError
from tablature.transport.signature import AwsCredentials

CredentialsProvider = Callable[[], AwsCredentials]


class CredentialsMissing(TablatureError):
    """No access key was found."""


class _Refreshing(Protocol):
    """What botocore's credential objects offer: a consistent copy, refreshed when it is about to end."""

    def get_frozen_credentials(self) -> "_Frozen": ...


class _Frozen(Protocol):
    access_key: str
    secret_key: str
    token: str | None


def find_credentials(environ: Mapping[str, str] | None = None) -> CredentialsProvider:
    """A credentials provider: environment variables first, then profiles, containers and roles."""
    environ = os.environ if environ is None else environ
    access, secret = environ.get("AWS_ACCESS_KEY_ID"), environ.get("AWS_SECRET_ACCESS_KEY")
    if access and secret:
        credentials = AwsCredentials(access, secret, environ.get("AWS_SESSION_TOKEN") or None)
        return lambda: credentials
    if find_spec("botocore") is not None:
        return BotocoreChain()
    raise CredentialsMissing(
        "No AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install botocore to use "
        "profiles, containers and instance roles."
    )


def find_region(environ: Mapping[str, str] | None = None) -> str | None:
    """The region named by the environment, or by the profile where botocore is installed."""
    environ = os.environ if environ is None else environ
    named = environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION")
    if named or find_spec("botocore") is None:
        return named
    region: str | None = _botocore_session().get_config_variable("region")
    return region


class BotocoreChain:
    """Credentials from botocore's chain, looked up once and refreshed by botocore before they expire."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: _Refreshing | None = None

    def __call__(self) -> AwsCredentials:
        frozen = self._source().get_frozen_credentials()
        return AwsCredentials(frozen.access_key, frozen.secret_key, frozen.token)

    def _source(self) -> _Refreshing:
        with self._lock:
            if self._found is None:
                self._found = _botocore_session().get_credentials()
            if self._found is None:
                raise CredentialsMissing(
                    "No AWS credentials in the environment, the profile, the container or the instance metadata."
                )
            return self._found


def _botocore_session() -> Any:
    """botocore ships no types and may be absent, so it is asked for by name."""
    return importlib.import_module("botocore.session").get_session()

"""Our cookies: session, theme, languages and flash message; all HttpOnly and SameSite."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

import msgspec
from starlette.responses import Response

from almanac.kit.json_text import encode_json

SESSION, THEME, LANGUAGE, FLASH = "almanac_session", "almanac_theme", "almanac_language", "almanac_flash"
READING_LANGUAGES, KEYS = "almanac_reading", "almanac_keys"
_YEAR = 365 * 24 * 3600
_FLASH_SECONDS = 60

Tone = Literal["done", "failed", "plain"]


@dataclass(frozen=True, slots=True)
class Flash:
    """A message for the next page; `undo` is the local path that undoes the change, `fields` what is sent there."""

    text: str
    tone: Tone = "done"
    undo: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cookies:
    """Reads and writes our cookies. `secure` keeps them off plain HTTP, `key` signs the flash message."""

    secure: bool
    key: bytes
    session_seconds: int

    def set_session(self, response: Response, token: str) -> None:
        self._set(response, SESSION, token, self.session_seconds)

    def clear_session(self, response: Response) -> None:
        self._clear(response, SESSION)

    def set_theme(self, response: Response, theme: str) -> None:
        self._set(response, THEME, theme, _YEAR)

    def set_language(self, response: Response, language: str) -> None:
        self._set(response, LANGUAGE, language, _YEAR)

    def set_reading_languages(self, response: Response, languages: str) -> None:
        """The languages of stories, which may differ from the page language."""
        self._set(response, READING_LANGUAGES, languages, _YEAR)

    def set_keys(self, response: Response, *, is_on: bool) -> None:
        """Whether single-key shortcuts work in this browser."""
        if is_on:
            self._clear(response, KEYS)
        else:
            self._set(response, KEYS, "off", _YEAR)

    def keys_are_on(self, cookies: Mapping[str, str]) -> bool:
        return cookies.get(KEYS) != "off"

    def set_flash(self, response: Response, flash: Flash) -> None:
        body = encode_json(asdict(flash))
        self._set(response, FLASH, urlsafe_b64encode(self._seal(body) + body).decode(), _FLASH_SECONDS)

    def clear_flash(self, response: Response) -> None:
        self._clear(response, FLASH)

    def read_flash(self, cookies: Mapping[str, str]) -> Flash | None:
        """The flash message of the last response; None if there is none or its signature is invalid."""
        try:
            raw = urlsafe_b64decode(cookies.get(FLASH, ""))
        except (Base64Error, ValueError):
            return None
        seal, body = raw[:32], raw[32:]
        return msgspec.json.decode(body, type=Flash) if body and hmac.compare_digest(seal, self._seal(body)) else None

    def _seal(self, body: bytes) -> bytes:
        return hmac.digest(self.key, b"flash:" + body, "sha256")

    def _set(self, response: Response, name: str, value: str, seconds: int) -> None:
        response.set_cookie(name, value, max_age=seconds, httponly=True, secure=self.secure, samesite="lax")

    def _clear(self, response: Response, name: str) -> None:
        response.delete_cookie(name, httponly=True, secure=self.secure, samesite="lax")

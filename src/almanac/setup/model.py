"""The steps of set-up, how far it is, and how what people typed becomes settings. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal
from urllib.parse import quote, unquote, urlsplit

from almanac.errors import FieldErrors, InputError
from almanac.kit.messages import gettext
from almanac.mail.message import Address

StepState = Literal["done", "skipped"]
MailKind = Literal["none", "smtp", "ses"]
DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A step: its name in addresses, its title, and the settings it chooses."""

    name: str
    title: str
    settings: tuple[str, ...] = ()


STEPS = (
    SetupStep("organisation", gettext("Organisation"), ("organisation",)),
    SetupStep("you", gettext("You")),
    SetupStep("time-zone", gettext("Time zone"), ("time_zone",)),
    SetupStep("address", gettext("Web address"), ("base_url",)),
    SetupStep("mail", gettext("Mail"), ("mail_url", "mail_from")),
    SetupStep("model", gettext("Model"), ("llm_model", "llm_api_key", "llm_base_url")),
    SetupStep("desks", gettext("Desks"), ("desks",)),
    SetupStep("content", gettext("Content")),
)


@dataclass(frozen=True, slots=True)
class StepStatus:
    """A step and what became of it; None if it is still open."""

    step: SetupStep
    state: StepState | None


@dataclass(frozen=True, slots=True)
class SetupProgress:
    """How far set-up is. `dismissed`: somebody doesn't want to be reminded of it."""

    steps: Sequence[StepStatus]
    dismissed: bool

    @property
    def done(self) -> int:
        return sum(status.state == "done" for status in self.steps)

    @property
    def next_step(self) -> SetupStep | None:
        """The first step that is neither done nor skipped."""
        return next((status.step for status in self.steps if status.state is None), None)

    def after(self, name: str) -> SetupStep | None:
        """The step after one, whatever became of it; None after the last."""
        names = [status.step.name for status in self.steps]
        at = names.index(name) + 1
        return self.steps[at].step if at < len(names) else None

    @property
    def is_over(self) -> bool:
        """Whether nobody needs to be reminded of it any more."""
        return self.dismissed or self.next_step is None


@dataclass(frozen=True, slots=True, kw_only=True)
class MailChoice:
    """How mail is to leave, as somebody typed it. An empty password keeps the one that is set."""

    kind: MailKind
    host: str = ""
    port: str = ""
    security: str = "starttls"
    user: str = ""
    password: str = ""
    sender: str = ""
    region: str = ""
    private: bool = False

    def to_settings(self, current_url: str | None) -> dict[str, str | None]:
        """The settings of this choice. FieldErrors with a sentence for each field that is wrong."""
        if self.kind == "none":
            return {"mail_url": None, "mail_from": None}
        errors: dict[str, str] = {}
        sender = self.sender.strip()
        try:
            Address.parse(sender)
        except InputError:
            errors["sender"] = gettext(
                "Enter an address such as post@example.org, or a name with it in angle brackets."
            )
        url = self._ses_url(errors) if self.kind == "ses" else self._smtp_url(current_url, errors)
        if errors:
            raise FieldErrors(errors)
        return {"mail_url": url, "mail_from": sender}

    def _ses_url(self, errors: dict[str, str]) -> str:
        region = self.region.strip()
        if not re.fullmatch(r"[a-z]{2}(-[a-z]+)+-\d", region):
            errors["region"] = gettext("Enter a region such as eu-west-1.")
        return f"ses://{region}"

    def _smtp_url(self, current_url: str | None, errors: dict[str, str]) -> str:
        host, port = self.host.strip().lower(), self.port.strip()
        if not re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[?[0-9a-f:]+\]?", host):
            errors["host"] = gettext("Enter the name of the mail server, such as smtp.example.org.")
        if not (port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 65536):
            errors["port"] = gettext("Enter a port from 1 to 65535; most servers use 587 or 465.")
        if self.security not in ("starttls", "tls", "none"):
            errors["security"] = gettext("Choose how the connection is protected.")
        if self.user.strip() and self.security == "none" and not self.private:
            errors["security"] = gettext("A password must not travel unprotected; choose STARTTLS or TLS.")
        scheme = "smtps" if self.security == "tls" else "smtp"
        query = {"starttls": "?starttls=required", "none": "?starttls=no"}.get(self.security, "")
        bracketed = f"[{host}]" if ":" in host and not host.startswith("[") else host
        return f"{scheme}://{self._credentials(current_url)}{bracketed}:{port}{query}"

    def _credentials(self, current_url: str | None) -> str:
        user = self.user.strip()
        if not user:
            return ""
        current = urlsplit(current_url or "")
        kept = unquote(current.password or "") if current.hostname == self.host.strip().lower() else ""
        return f"{quote(user, safe='')}:{quote(self.password or kept, safe='')}@"

    @classmethod
    def from_settings(cls, mail_url: str | None, mail_from: str) -> "MailChoice":
        """What a form shows of the current settings: everything but the password."""
        parts = urlsplit(mail_url or "")
        sender = "" if mail_from.endswith("@localhost>") else mail_from
        if parts.scheme == "ses":
            return cls(kind="ses", region=parts.hostname or "", sender=sender)
        if parts.scheme not in ("smtp", "smtps"):
            return cls(kind="none", sender=sender)
        security = "tls" if parts.scheme == "smtps" else "none" if "starttls=no" in parts.query else "starttls"
        port = str(parts.port or (465 if parts.scheme == "smtps" else 587))
        user = unquote(parts.username or "")
        return cls(kind="smtp", host=parts.hostname or "", port=port, security=security, user=user, sender=sender)


PROVIDERS: Mapping[str, str] = {
    "none": gettext("None: texts are made of sentences of the sources"),
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "server": gettext("A server of our own that speaks like OpenAI"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """Which model writes, as somebody typed it. An empty key keeps the one that is set."""

    provider: str
    model: str = ""
    key: str = ""
    base_url: str = ""
    private: bool = False

    def to_settings(self) -> dict[str, str | None]:
        """The settings of this choice. FieldErrors with a sentence for each field that is wrong."""
        if self.provider == "none":
            return {"llm_model": None, "llm_api_key": None, "llm_base_url": None}
        errors: dict[str, str] = {}
        if self.provider not in PROVIDERS:
            errors["provider"] = gettext("Choose who writes.")
        if not re.fullmatch(r"[\w.:/@-]{1,200}", self.model.strip()):
            errors["model"] = gettext("Enter the name of the model, such as gpt-5-mini.")
        base_url = self.base_url.strip() or None
        if self.provider == "server" and not re.fullmatch(r"https?://[^\s/@]+(/\S*)?", base_url or ""):
            errors["base_url"] = gettext("Enter an address such as http://10.0.0.5:8080/v1.")
        if errors:
            raise FieldErrors(errors)
        own = self.provider == "server"
        name = self.model.strip() if own else f"{self.provider}:{self.model.strip()}"
        changes: dict[str, str | None] = {"llm_model": name, "llm_base_url": base_url if own else None}
        if self.key.strip():
            changes["llm_api_key"] = self.key.strip()
        return changes

    @classmethod
    def from_settings(cls, model: str | None, base_url: str | None) -> "ModelChoice":
        """What a form shows of the current settings: everything but the key."""
        if not model:
            return cls(provider="none")
        provider, _, name = model.partition(":")
        if base_url or provider not in PROVIDERS:
            return cls(provider="server", model=model, base_url=base_url or "")
        return cls(provider=provider, model=name)


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """The answer of a model to a trial question, and what it took."""

    model: str
    answer: str
    seconds: float
    cost: Decimal


def explain_mail_failure(sentence: str) -> list[str]:
    """What to check after a mail server said no, the likeliest first."""
    text = sentence.lower()
    hints: list[str] = []
    if "user name or password" in text or "535" in text:
        hints.append(
            gettext("Check the user name and the password. Many providers want an app password made in their account.")
        )
    if "certificate" in text or "ssl" in text or "tls" in text:
        hints.append(gettext("Try the other protection: port 465 usually wants TLS, port 587 STARTTLS."))
        hints.append(gettext("The name of the server must be the one on its certificate."))
    if "refused the sender" in text:
        hints.append(gettext("The sender must be an address that this account may send from."))
    if "timed out" in text or "in time" in text or "connect" in text or "can't be used" in text:
        hints.append(
            gettext("Check the name of the server and the port; a firewall may block it. Port 25 is often closed.")
        )
    return hints or [gettext("Ask whoever runs the mail server; its answer is above.")]


MISSING_HINTS = (
    gettext("Look into the folder for spam or junk."),
    gettext("Wait a minute or two: some servers make new senders wait."),
    gettext("Check that your own address is spelled correctly."),
    gettext("Check the sender: many servers drop mail whose sender is of another domain than the account."),
    gettext("Ask whoever runs the mail server to look for the message in its log."),
)

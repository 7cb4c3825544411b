"""What was chosen in set-up and where it comes from, and what works, in plain words."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from almanac.accounts.passkey_site import is_loopback
from almanac.config import ChoiceInfo, Source
from almanac.demo import Demo
from almanac.kit.messages import gettext
from almanac.services import Services
from almanac.setup.model import SetupProgress
from almanac.setup.service import get_mail_trial, get_progress

_SOURCES: dict[Source, str] = {
    "environment": gettext("Set in the environment"),
    "file": gettext("Set in almanac.toml"),
    "set-up": gettext("Chosen in set-up"),
    "default": gettext("The default"),
}


@dataclass(frozen=True, slots=True)
class ChoiceLine:
    """One step with its current answer, the source of the answer, and whether set-up can change it."""

    step: str
    title: str
    answer: str
    source: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that works or doesn't yet, and where to change it."""

    works: bool
    title: str
    text: str
    href: str = ""


async def describe_choices(services: Services, demo: Demo, progress: SetupProgress) -> list[ChoiceLine]:
    """Every step with its answer."""
    choices = services.setup.choices()
    report = await demo.report(services)
    answers = {
        "organisation": _shown(choices["organisation"], gettext("No name yet")),
        "you": gettext("Your name, address and password"),
        "time-zone": str(choices["time_zone"].value),
        "address": str(choices["base_url"].value or services.settings.public_url),
        "mail": _describe_mail(services),
        "model": _shown(choices["llm_model"], gettext("None: texts are made of sentences of the sources")),
        "desks": _shown(choices["desks"], gettext("All desks")),
        "content": gettext("Demo content: %(summary)s", summary=report.summary)
        if report.summary
        else gettext("No demo content"),
    }
    return [
        ChoiceLine(
            status.step.name,
            status.step.title,
            answers[status.step.name],
            _source(status.step.settings, choices),
            any(choices[name].fixed for name in status.step.settings),
        )
        for status in progress.steps
    ]


def _shown(choice: ChoiceInfo, default: str) -> str:
    return str(choice.value) if choice.value else default


def _source(names: tuple[str, ...], choices: dict[str, ChoiceInfo]) -> str:
    return _SOURCES[choices[names[0]].source] if names else ""


def _describe_mail(services: Services) -> str:
    current = services.setup.current()
    parts = urlsplit(current.mail_url or "")
    if parts.scheme == "ses":
        return gettext(
            "Amazon SES in %(hostname)s, from %(mail_from)s", hostname=parts.hostname, mail_from=current.mail_from
        )
    if parts.scheme in ("smtp", "smtps"):
        return gettext("%(hostname)s, from %(mail_from)s", hostname=parts.hostname, mail_from=current.mail_from)
    return gettext("None: mails are kept here and reach nobody")


async def describe_state(services: Services) -> list[Fact]:
    """What works and what doesn't yet, beyond the checks of the doctor."""
    current = services.setup.current()
    return [
        await _mail_fact(services),
        Fact(
            True,
            gettext("Texts are written by a model"),
            gettext("%(model)s writes.", model=current.llm_model),
            "/setup/model",
        )
        if current.llm_model
        else Fact(
            False,
            gettext("No model writes"),
            gettext("Summaries and drafts are made of sentences of the sources. Translation needs a model."),
            "/setup/model",
        ),
        Fact(
            True,
            gettext("Links lead to your address"),
            gettext("People reach Almanac at %(public_url)s.", public_url=current.public_url),
            "/setup/address",
        )
        if current.base_url and not is_loopback(urlsplit(current.base_url).hostname or "")
        else Fact(
            False,
            gettext("Links lead to this machine only"),
            gettext(
                "Links in mails begin with %(public_url)s, which others may not reach.", public_url=current.public_url
            ),
            "/setup/address",
        ),
        *_public_facts(services),
    ]


def _public_facts(services: Services) -> list[Fact]:
    """What anyone may read; nothing to say where nothing is public, since that is as it should be."""
    settings = services.settings
    if not settings.public_parts:
        return []
    url, href = settings.public_side_url, "/organisation#public"
    if is_loopback(urlsplit(url).hostname or ""):
        words = gettext("The public side is at %(url)s, which others can't reach.", url=url)
        return [Fact(False, gettext("Nobody can reach what is public"), words, href)]
    words = gettext("Without an account, at %(url)s.", url=url)
    return [Fact(True, gettext("Anyone can read what you publish"), words, href)]


async def _mail_fact(services: Services) -> Fact:
    href = "/setup/mail"
    if not services.setup.current().mail_url:
        text = gettext("Invitations, reminders and alerts are kept here and reach nobody.")
        return Fact(False, gettext("Mail isn't set up"), text, href)
    steps = {status.step.name: status.state for status in (await get_progress(services.setup)).steps}
    trial = await get_mail_trial(services.setup)
    if trial is not None and trial.outcome == "missing":
        return Fact(
            False,
            gettext("Mail doesn't arrive"),
            gettext("The mail server took the test message, and you didn't see it."),
            href,
        )
    if steps["mail"] != "done":
        return Fact(
            False, gettext("Mail isn't confirmed"), gettext("Nobody has typed the code of a test message yet."), href
        )
    return Fact(True, gettext("Mail leaves"), gettext("%(how)s.", how=_describe_mail(services)), href)

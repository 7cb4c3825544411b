"""Set-up: choices that are kept and take effect by themselves, with mail and model tried before they are believed."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject
from almanac.config import ChoiceInfo, Settings, choices_version, list_choices, preview_choices, save_choices
from almanac.errors import AlmanacError, Conflict, FieldErrors, NotFound, TooMany
from almanac.fetch import AddressRefused
from almanac.fetch.guard import FetchGuard
from almanac.fetch.http import system_lookup
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id, token_hash
from almanac.kit.messages import gettext, ngettext
from almanac.mail.mail_templates import MailTemplates
from almanac.mail.message import Address, Message
from almanac.mail.mime import MailIds, write_mail
from almanac.mail.port import Envelope, MailTransport, OutcomeUnknown
from almanac.relational import Database, Unit
from almanac.setup import store
from almanac.setup.model import (
    DISMISSED,
    STEPS,
    MailChoice,
    ModelChoice,
    ModelTrial,
    SetupProgress,
    StepState,
    StepStatus,
)
from almanac.setup.store import MailTrial, TrialKind

PERMISSION = "setup.manage"
TRIALS_PER_HOUR: Mapping[TrialKind, int] = {"mail": 20, "model": 12}
MESSAGES_PER_HOUR = 6
GUESSES = 5
CODE_LIFE = timedelta(hours=1)
_CODE_DIGITS = 6
_SEND_SECONDS = 60
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What set-up stands on. The functions open adapters for settings that nobody has chosen yet."""

    settings: Settings
    database: Database
    clock: Clock
    open_transport: Callable[[Settings], MailTransport]
    parse_sender: Callable[[Settings], Address]
    ask_model: Callable[[Settings], Awaitable[ModelTrial]]
    check: Callable[[Settings], None]

    def choices(self) -> dict[str, ChoiceInfo]:
        """Every setting that can be chosen, as it stands now."""
        return list_choices(self.settings)

    def version(self, names: Iterable[str]) -> str:
        """The version of these choices, which an edit of them is made on."""
        return choices_version(self.settings, names)

    def current(self) -> Settings:
        """The settings as they are chosen now; services that are still open may have been opened with others."""
        return preview_choices(self.settings, {})


async def get_progress(setup: Setup) -> SetupProgress:
    """How far set-up is; a step whose settings are set elsewhere is done."""
    async with setup.database.reading() as reading:
        states = await store.list_steps(reading)
    choices = setup.choices()
    steps = [
        StepStatus(
            step,
            states.get(step.name) or ("done" if any(choices[name].fixed for name in step.settings) else None),
        )
        for step in STEPS
    ]
    return SetupProgress(steps, dismissed=DISMISSED in states)


async def choose(
    setup: Setup,
    by: Principal,
    step: str,
    changes: Mapping[str, str | None],
    *,
    is_done: bool = True,
    expected: str | None = None,
) -> None:
    """Keep the choices of a step, which is done then unless it is still to be tried.

    Nothing is kept if one of them can't be used. StaleEdit if they aren't those of the version `expected` any more.
    """
    by.require(PERMISSION)
    await asyncio.to_thread(_save, setup, changes, expected)
    async with setup.database.unit() as unit:
        if is_done:
            await store.save_step(unit, step, "done", by=by.user_id, now=setup.clock.now())
        else:
            await store.reopen_step(unit, step)
        await _record(setup, unit, by, step, sorted(changes))


def _save(setup: Setup, changes: Mapping[str, str | None], expected: str | None) -> Settings:
    setup.check(preview_choices(setup.settings, changes))
    return save_choices(setup.settings, changes, expected=expected)


async def mark_step(setup: Setup, by: Principal, step: str, state: StepState) -> None:
    """Note that a step is done or skipped; a skipped one can be done later."""
    by.require(PERMISSION)
    if step not in {DISMISSED, *(step.name for step in STEPS)}:
        raise NotFound(gettext("This step of set-up doesn't exist."))
    async with setup.database.unit() as unit:
        await store.save_step(unit, step, state, by=by.user_id, now=setup.clock.now())
        await _record(setup, unit, by, step, [], state=state)


async def dismiss(setup: Setup, by: Principal) -> None:
    """Remind nobody of set-up any more; everything can still be changed."""
    await mark_step(setup, by, DISMISSED, "done")


async def send_test_mail(setup: Setup, by: Principal, choice: MailChoice) -> None:
    """Send a test message with a code to one's own address, and keep the choice once the mail server took it.

    The step is done when the code comes back: only then is it known that mail arrives. FieldErrors if the choice is
    wrong; MailRefused, MailDeferred or OutcomeUnknown if the server said no.
    """
    by.require(PERMISSION)
    changes = choice.to_settings(setup.current().mail_url)
    if by.email.endswith("@localhost"):
        raise Conflict(gettext("Enter your own e-mail address first; the test message goes there."))
    wanted = preview_choices(setup.settings, changes)
    setup.check(wanted)
    if choice.kind == "smtp":
        await _check_host(setup, choice.host.strip(), int(choice.port), "host", private=choice.private)
    trial_id, code = new_id(), "".join(secrets.choice("0123456789") for _ in range(_CODE_DIGITS))
    async with setup.database.unit() as unit:
        await _count_trial(setup, unit, "mail")
        hashed = token_hash(trial_id + code)
        now = setup.clock.now()
        await store.insert_trial(unit, trial_id, "mail", by=by.user_id, now=now, address=by.email, code_hash=hashed)
    try:
        await _send(setup, by, wanted, code)
    except AlmanacError as error:
        async with setup.database.unit() as unit:
            await store.end_mail_trial(unit, trial_id, failure=str(error.sentence))
        raise
    await choose(setup, by, "mail", changes, is_done=False)
    async with setup.database.unit() as unit:
        await store.end_mail_trial(unit, trial_id, failure=None)


async def _send(setup: Setup, by: Principal, wanted: Settings, code: str) -> None:
    try:
        async with asyncio.timeout(_SEND_SECONDS):
            await setup.open_transport(wanted).send(_test_envelope(setup, by, wanted, code))
    except TimeoutError:
        raise OutcomeUnknown(gettext("The mail server didn't answer in time.")) from None


def _test_envelope(setup: Setup, by: Principal, settings: Settings, code: str) -> Envelope:
    shown = f"{code[:3]} {code[3:]}"
    words = MailTemplates().render("test", {"code": shown, "asked_by": by.name}, by.preferences.language)
    message = Message(
        to=(Address(by.email, by.name),), subject=words.subject, text=words.text, html=words.html, topic="setup"
    )
    sender = setup.parse_sender(settings)
    mail_id = new_id()
    ids = MailIds(mail_id, f"<{mail_id}@{sender.email.rpartition('@')[2]}>")
    raw = write_mail(message, ids, sender=sender, date=setup.clock.now(), extra={})
    return Envelope(mail_id, ids.message_id, sender.email, (by.email,), raw)


async def get_mail_trial(setup: Setup) -> MailTrial | None:
    """The latest test message that a mail server took; None if there is none of the last hour."""
    async with setup.database.unit() as unit:
        trial = await store.lock_last_mail_trial(unit)
    return trial if trial and setup.clock.now() - trial.tried_at < CODE_LIFE else None


async def get_last_failure(setup: Setup) -> str | None:
    """Why the latest test message of the last hour wasn't sent; None if it was."""
    async with setup.database.reading() as reading:
        return await store.get_last_failure(reading, setup.clock.now() - CODE_LIFE)


async def confirm_test_mail(setup: Setup, by: Principal, code: str) -> None:
    """Mail is set up if this is the code of the latest message that left. FieldErrors if it isn't."""
    by.require(PERMISSION)
    digits = "".join(character for character in code if character.isdigit())
    now = setup.clock.now()
    async with setup.database.unit() as unit:
        trial = await store.lock_last_mail_trial(unit)
        is_open = trial is not None and trial.guesses < GUESSES and now - trial.tried_at < CODE_LIFE
        is_right = (
            is_open and trial is not None and secrets.compare_digest(token_hash(trial.id + digits), trial.code_hash)
        )
        if trial is not None and is_open:
            guesses = trial.guesses + 1
            await store.update_trial(
                unit, replace(trial, guesses=guesses, outcome="seen" if is_right else trial.outcome)
            )
        if is_right:
            await store.save_step(unit, "mail", "done", by=by.user_id, now=now)
            await _record(setup, unit, by, "mail", [], state="seen")
    if not is_open:
        raise FieldErrors({"code": gettext("This code no longer works; send another test message.")})
    if not is_right:
        raise FieldErrors({"code": gettext("This isn't the code in the message; look again.")})


async def report_missing_mail(setup: Setup, by: Principal) -> bool:
    """The test message wasn't seen: mail isn't believed to work. False if none has left."""
    by.require(PERMISSION)
    async with setup.database.unit() as unit:
        trial = await store.lock_last_mail_trial(unit)
        if trial is None:
            return False
        await store.update_trial(unit, replace(trial, outcome="missing"))
        await store.reopen_step(unit, "mail")
    return True


async def try_model(setup: Setup, by: Principal, choice: ModelChoice) -> ModelTrial:
    """Ask the model a real question, and keep the choice once it was answered. ModelFailure tells why it wasn't."""
    by.require(PERMISSION)
    changes = choice.to_settings()
    if choice.provider == "server":
        host, port = _host_of(choice.base_url)
        await _check_host(setup, host, port, "base_url", private=choice.private)
    wanted = preview_choices(setup.settings, changes)
    setup.check(wanted)
    async with setup.database.unit() as unit:
        await _count_trial(setup, unit, "model")
        await store.insert_trial(unit, new_id(), "model", by=by.user_id, now=setup.clock.now())
    trial = await setup.ask_model(wanted)
    await choose(setup, by, "model", changes)
    return trial


async def _count_trial(setup: Setup, unit: Unit, kind: TrialKind) -> None:
    """Our own limits: messages that arrive bother people; a trial that fails costs little."""
    limits = [(TRIALS_PER_HOUR[kind], False)]
    if kind == "mail":
        limits.append((MESSAGES_PER_HOUR, True))
    now = setup.clock.now()
    for limit, only_delivered in limits:
        first = await store.get_nth_last_trial(unit, limit, kind, since=now - _HOUR, only_delivered=only_delivered)
        if first is not None:
            zone = setup.current().time_zone
            until = first + _HOUR
            shown = (until + timedelta(minutes=1)).astimezone(ZoneInfo(zone)).strftime("%H:%M")
            raise TooMany(
                _too_many(limit, shown, zone, only_delivered=only_delivered),
                retry_after=int((until - now).total_seconds()) + 1,
            )


def _too_many(limit: int, time: str, zone: str, *, only_delivered: bool) -> str:
    if only_delivered:
        return ngettext(
            "Almanac itself allows %(num)s test message an hour; try again at %(time)s (%(zone)s).",
            "Almanac itself allows %(num)s test messages an hour; try again at %(time)s (%(zone)s).",
            limit,
            time=time,
            zone=zone,
        )
    return ngettext(
        "Almanac itself allows %(num)s trial an hour; try again at %(time)s (%(zone)s).",
        "Almanac itself allows %(num)s trials an hour; try again at %(time)s (%(zone)s).",
        limit,
        time=time,
        zone=zone,
    )


async def _check_host(setup: Setup, host: str, port: int, field: str, *, private: bool) -> None:
    """Refuse a host on our own network unless the person says that it is meant."""
    if private:
        return
    guard = FetchGuard.from_settings(setup.settings.fetch_allow, str(port))
    try:
        addresses = [ip_address(text.partition("%")[0]) for text in await system_lookup(host.strip("[]"), port)]
    except OSError:
        raise FieldErrors({field: gettext("%(host)s has no address; check the name.", host=host)}) from None
    try:
        guard.check_addresses(host, port, addresses)
    except AddressRefused:
        raise FieldErrors(
            {field: gettext("%(host)s is on a private network; tick the box below if that is meant.", host=host)}
        ) from None


def _host_of(address: str) -> tuple[str, int]:
    parts = urlsplit(address.strip())
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


async def _record(setup: Setup, unit: Unit, by: Principal, step: str, changed: list[str], **detail: str) -> None:
    """Names of what changed, never values: some are secrets."""
    action = AuditAction(by.actor, "setup.changed", AuditSubject("setup", step), "", {"changed": changed, **detail})
    await audit.record(unit, setup.clock, action)

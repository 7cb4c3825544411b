"""Sends one-time links and notices of accounts by mail: connects accounts and mail, which don't import each other."""

from almanac.accounts.model import AccountNotice, IssuedLink, LinkPurpose, NoticeKind
from almanac.kit.catalogs import nearest_language
from almanac.kit.ids import token_hash
from almanac.kit.locale_formats import format_day
from almanac.kit.messages import gettext
from almanac.mail import Address, Mailer, Message
from almanac.mail.mail_templates import MailTemplates
from almanac.relational import Unit

TEMPLATE = {
    LinkPurpose.SIGN_IN: "sign-in",
    LinkPurpose.INVITE: "invite",
    LinkPurpose.RESET: "reset",
    LinkPurpose.EMAIL: "confirm-address",
}
TOPIC = "account"
NOTICES = {
    NoticeKind.EMAIL_CHANGED: (
        gettext("Your address was changed"),
        "the e-mail address of your Almanac account was changed. This is the last mail to this address.",
    ),
    NoticeKind.SECOND_FACTOR_ON: (
        "Two-step sign-in is on",
        "two-step sign-in was set up for your Almanac account. Sessions on other devices were ended.",
    ),
    NoticeKind.SECOND_FACTOR_OFF: (
        "Two-step sign-in is off",
        "two-step sign-in was turned off for your Almanac account. Your password alone signs you in again.",
    ),
    NoticeKind.SECOND_FACTOR_RESET: (
        gettext("Your two-step sign-in was reset"),
        gettext("an administrator removed your authenticator app, recovery codes and passkeys. Set them up again."),
    ),
    NoticeKind.PASSKEY_ADDED: (
        gettext("A passkey was added"),
        gettext("a passkey was added to your Almanac account. It can sign in without your password."),
    ),
}


class LinkMailer:
    """The LinkSender that queues a mail in the transaction that made the link or the change."""

    def __init__(
        self, mailer: Mailer, templates: MailTemplates | None = None, *, organisation: str | None = None
    ) -> None:
        self._mailer = mailer
        self._organisation = organisation
        self._templates = templates or MailTemplates()

    async def send_link(self, unit: Unit, link: IssuedLink) -> None:
        language = link.user.preferences.language
        day = format_day(link.expires_at.date(), nearest_language(language))
        words = self._templates.render(
            TEMPLATE[link.purpose],
            {
                "name": link.user.name,
                "link": link.url,
                "expires": f"{day}, {link.expires_at:%H:%M} UTC",
                "inviter": self._inviter(link.inviter or gettext("An administrator")),
            },
            language,
        )
        to = Address(link.recipient, link.user.name)
        message = Message(to=(to,), subject=words.subject, text=words.text, html=words.html, topic=TOPIC)
        await self._mailer.queue(message, key=f"link:{token_hash(link.path)}", unit=unit)

    def _inviter(self, name: str) -> str:
        if not self._organisation:
            return name
        return gettext("%(name)s of %(organisation)s", name=name, organisation=self._organisation)

    async def send_notice(self, unit: Unit, notice: AccountNotice) -> None:
        title, sentence = NOTICES[notice.kind]
        words = self._templates.render(
            "notice", {"name": notice.name, "title": title, "sentence": sentence}, notice.language
        )
        to = Address(notice.email, notice.name)
        message = Message(to=(to,), subject=words.subject, text=words.text, html=words.html, topic=TOPIC)
        await self._mailer.queue(message, key=f"notice:{notice.id}", unit=unit)

"""Sends one-time links by mail: connects accounts and mail, which don't import each other."""

from almanac.accounts.model import IssuedLink, LinkPurpose
from almanac.kit.ids import token_hash
from almanac.mail import Address, Mailer, Message
from almanac.mail.mail_templates import MailTemplates
from almanac.relational import Unit

TEMPLATE = {LinkPurpose.SIGN_IN: "sign-in", LinkPurpose.INVITE: "invite", LinkPurpose.RESET: "reset"}
TOPIC = "account"


class LinkMailer:
    """The LinkSender that queues a mail in the transaction that made the link."""

    def __init__(
        self, mailer: Mailer, templates: MailTemplates | None = None, *, organisation: str | None = None
    ) -> None:
        self._mailer = mailer
        self._inviter = f"An administrator of {organisation}" if organisation else "An administrator"
        self._templates = templates or MailTemplates()

    async def send_link(self, unit: Unit, link: IssuedLink) -> None:
        words = self._templates.render(
            TEMPLATE[link.purpose],
            {
                "name": link.user.name,
                "link": link.url,
                "expires": f"{link.expires_at:%d %B %Y, %H:%M} UTC",
                "inviter": self._inviter,
            },
        )
        to = Address(link.user.email, link.user.name)
        message = Message(to=(to,), subject=words.subject, text=words.text, html=words.html, topic=TOPIC)
        await self._mailer.queue(message, key=f"link:{token_hash(link.path)}", unit=unit)

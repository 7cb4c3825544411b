"""What kinds and channels are called where people choose them."""

from almanac.kit.messages import gettext
from almanac.notifications.model import NotificationChannel, NotificationKind

KINDS = {
    NotificationKind.APPROVALS: (
        gettext("Approvals waiting"),
        gettext("A draft or a reminder waits for your approval."),
    ),
    NotificationKind.FAILURES: (
        gettext("Failed work"),
        gettext("A job failed that you can repair, or that failed because of what you gave it."),
    ),
    NotificationKind.FINISHED: (
        gettext("Finished work"),
        gettext("An import, a sync or another job of more than a minute that you started is done."),
    ),
    NotificationKind.DESKS: (
        gettext("News of your desks"),
        gettext("A customer replied, a reader reported an error, a site is blocked, or an issue is ready for review."),
    ),
    NotificationKind.ALERTS: (
        gettext("Alerts"),
        gettext("A saved query with an alert has new matches. The mail lists them."),
    ),
    NotificationKind.MAIL: (gettext("Mail in doubt"), gettext("Nobody knows whether a mail was sent.")),
    NotificationKind.BACKUP: (gettext("Failed backups"), gettext("A backup could not be made.")),
    NotificationKind.SIGN_IN: (
        gettext("New sign-ins"),
        gettext("Your account was used in a browser that wasn't used before. Comes in quiet hours too."),
    ),
}
CHANNELS = {
    NotificationChannel.PUSH: gettext("Push"),
    NotificationChannel.MAIL: gettext("Mail"),
    NotificationChannel.NTFY: "ntfy",
    NotificationChannel.APPRISE: "Apprise",
    NotificationChannel.WEBHOOK: gettext("Webhook"),
}
ADDRESS_HELP = {
    NotificationChannel.NTFY: gettext(
        "The address of your topic, such as https://ntfy.sh/your-topic; add ?token=… where the topic is protected."
    ),
    NotificationChannel.APPRISE: gettext(
        "The Apprise address of a service, such as discord://…, tgram://… or gotifys://…"
    ),
    NotificationChannel.WEBHOOK: gettext(
        "A program of your own that takes signed JSON. You get the secret when you save the address."
    ),
}

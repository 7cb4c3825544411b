"""What each action of the platform reads like: one sentence per code, with slots for who, whom and what.

A desk has the same for its own actions. A sentence is made with the words that stand where nothing better is known,
such as "Somebody"; whoever shows an entry fills in names. The name of a thing follows its noun ("the team Sales"), so
that the sentence still reads well without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from almanac.kit.messages import Translatable, gettext

SLOTS: Mapping[str, object] = {
    "actor": gettext("Somebody"),
    "person": gettext("somebody"),
    "heir": gettext("somebody"),
    "customer": gettext("a customer"),
    "reminder": gettext("a reminder"),
    "name": "",
}


@dataclass(frozen=True, slots=True)
class ActionGroup:
    """Actions of one area, with their sentences by code."""

    title: str
    sentences: Mapping[str, Translatable]


SIGN_IN = {
    "session.started": gettext("%(actor)s signed in", **SLOTS),
    "session.ended": gettext("%(actor)s signed out", **SLOTS),
    "session.proven": gettext("%(actor)s confirmed who they are", **SLOTS),
    "sessions.ended": gettext("%(actor)s ended all sessions of %(person)s", **SLOTS),
    "link.issued": gettext("%(actor)s made a sign-in link for %(person)s", **SLOTS),
    "user.password_changed": gettext("%(actor)s changed the password of %(person)s", **SLOTS),
    "user.identity_attached": gettext("%(actor)s used single sign-on for the first time", **SLOTS),
    "passkey.added": gettext("%(actor)s added a passkey", **SLOTS),
    "passkey.renamed": gettext("%(actor)s renamed a passkey", **SLOTS),
    "passkey.removed": gettext("%(actor)s removed a passkey", **SLOTS),
    "second_factor.turned_on": gettext("%(actor)s turned on two-step sign-in", **SLOTS),
    "second_factor.turned_off": gettext("%(actor)s turned off two-step sign-in", **SLOTS),
    "second_factor.reset": gettext("%(actor)s reset the two-step sign-in of %(person)s", **SLOTS),
    "recovery_codes.renewed": gettext("%(actor)s made new recovery codes", **SLOTS),
    "recovery_code.used": gettext("%(actor)s used a recovery code", **SLOTS),
    "token.created": gettext("%(actor)s made the API token %(name)s", **SLOTS),
    "token.revoked": gettext("%(actor)s revoked the API token %(name)s", **SLOTS),
}
PEOPLE = {
    "user.created": gettext("%(actor)s added %(person)s", **SLOTS),
    "user.renamed": gettext("%(actor)s changed the name of %(person)s", **SLOTS),
    "user.email_changed": gettext("%(actor)s changed the mail address of %(person)s", **SLOTS),
    "user.role_changed": gettext("%(actor)s changed the role of %(person)s", **SLOTS),
    "user.role_kept": gettext("%(actor)s kept the role of %(person)s, the last admin", **SLOTS),
    "user.rights_changed": gettext("%(actor)s changed the rights of %(person)s", **SLOTS),
    "user.deactivated": gettext("%(actor)s deactivated %(person)s", **SLOTS),
    "user.reactivated": gettext("%(actor)s reactivated %(person)s", **SLOTS),
    "user.work_handed_over": gettext("%(actor)s handed the work of %(person)s over to %(heir)s", **SLOTS),
    "team.created": gettext("%(actor)s made the team %(name)s", **SLOTS),
    "team.renamed": gettext("%(actor)s renamed the team %(name)s", **SLOTS),
    "team.deleted": gettext("%(actor)s deleted the team %(name)s", **SLOTS),
    "team.member_added": gettext("%(actor)s added %(person)s to the team %(name)s", **SLOTS),
    "team.member_removed": gettext("%(actor)s removed %(person)s from the team %(name)s", **SLOTS),
    "team.rights_changed": gettext("%(actor)s changed the rights of the team %(name)s", **SLOTS),
}
NOTIFICATIONS = {
    "notifications.changed": gettext("%(actor)s chose what they are notified of", **SLOTS),
    "notifications.address_set": gettext("%(actor)s set where notifications go", **SLOTS),
    "notifications.address_removed": gettext("%(actor)s removed a place where notifications go", **SLOTS),
    "notifications.device_added": gettext("%(actor)s added a device for notifications", **SLOTS),
    "notifications.device_removed": gettext("%(actor)s removed a device for notifications", **SLOTS),
}
APPROVALS = {
    "approval.asked": gettext("%(actor)s asked for an approval", **SLOTS),
    "approval.given": gettext("%(actor)s gave an approval", **SLOTS),
    "approval.refused": gettext("%(actor)s refused an approval", **SLOTS),
    "approval.withdrawn": gettext("%(actor)s withdrew a request for approval", **SLOTS),
    "approval.voided": gettext("%(actor)s voided an approval because its content changed", **SLOTS),
}
JOBS_AND_MAIL = {
    "jobs.retried": gettext("%(actor)s queued failed jobs again", **SLOTS),
    "job.cancelled": gettext("%(actor)s cancelled job %(name)s", **SLOTS),
    "failures.dismissed": gettext("%(actor)s dismissed failures", **SLOTS),
    "failures.restored": gettext("%(actor)s brought dismissed failures back", **SLOTS),
    "schedule.paused": gettext("%(actor)s paused the schedule %(name)s", **SLOTS),
    "schedule.resumed": gettext("%(actor)s resumed the schedule %(name)s", **SLOTS),
    "schedule.run": gettext("%(actor)s ran the schedule %(name)s", **SLOTS),
    "mail.settled": gettext("%(actor)s resolved a mail in doubt", **SLOTS),
    "mail.retried": gettext("%(actor)s queued a failed mail again", **SLOTS),
    "suppression.added": gettext("%(actor)s stopped mail to an address", **SLOTS),
    "suppression.lifted": gettext("%(actor)s allowed mail to an address again", **SLOTS),
}
SEARCHES_AND_SOURCES = {
    "saved_query.saved": gettext("%(actor)s saved a query", **SLOTS),
    "saved_query.edited": gettext("%(actor)s changed a saved query", **SLOTS),
    "saved_query.deleted": gettext("%(actor)s deleted a saved query", **SLOTS),
    "saved_query.published": gettext("%(actor)s published a saved query", **SLOTS),
    "saved_query.withdrawn": gettext("%(actor)s made a published query private again", **SLOTS),
    "saved_query.feed_opened": gettext("%(actor)s opened the feed of a saved query", **SLOTS),
    "saved_query.feed_closed": gettext("%(actor)s closed the feed of a saved query", **SLOTS),
    "saved_query.alert_set": gettext("%(actor)s set the alert of a saved query", **SLOTS),
    "subscriber.erased": gettext("%(actor)s erased the address of a reader", **SLOTS),
    "saved_query.alert_stopped": gettext("%(actor)s stopped the alert of a saved query", **SLOTS),
    "knowledge.added": gettext("%(actor)s added the knowledge source %(name)s", **SLOTS),
    "knowledge.shared": gettext("%(actor)s changed who sees the knowledge source %(name)s", **SLOTS),
    "knowledge.removed": gettext("%(actor)s removed the knowledge source %(name)s", **SLOTS),
    "knowledge.restored": gettext("%(actor)s restored the knowledge source %(name)s", **SLOTS),
}
READING = {
    "reader.started": gettext("%(actor)s began to check the text %(name)s against its sources", **SLOTS),
    "reader.finished": gettext("%(actor)s checked the last sentence of the text %(name)s against its sources", **SLOTS),
    "reader.reopened": gettext("%(actor)s took back a check of the text %(name)s, which was checked whole", **SLOTS),
}
INSTALLATION = {
    "setup.changed": gettext("%(actor)s changed the settings", **SLOTS),
    "audit.exported": gettext("%(actor)s exported the audit log", **SLOTS),
    "webhook.added": gettext("%(actor)s added the webhook %(name)s", **SLOTS),
    "webhook.edited": gettext("%(actor)s changed the webhook %(name)s", **SLOTS),
    "webhook.secret_changed": gettext("%(actor)s changed the secret of the webhook %(name)s", **SLOTS),
    "webhook.disabled": gettext("%(actor)s turned off the webhook %(name)s", **SLOTS),
    "webhook.enabled": gettext("%(actor)s turned on the webhook %(name)s", **SLOTS),
    "webhook.deleted": gettext("%(actor)s deleted the webhook %(name)s", **SLOTS),
    "webhook.redelivered": gettext("%(actor)s sent an event again to the webhook %(name)s", **SLOTS),
}
PLATFORM_ACTIONS = (
    ActionGroup(gettext("Sign-in"), SIGN_IN),
    ActionGroup(gettext("People and teams"), PEOPLE),
    ActionGroup(gettext("Approvals"), APPROVALS),
    ActionGroup(gettext("Jobs and mail"), JOBS_AND_MAIL),
    ActionGroup(gettext("Queries and knowledge"), SEARCHES_AND_SOURCES),
    ActionGroup(gettext("Source reader"), READING),
    ActionGroup(gettext("Notifications"), NOTIFICATIONS),
    ActionGroup(gettext("Installation"), INSTALLATION),
)

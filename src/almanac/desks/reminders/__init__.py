"""The reminders desk: overdue invoices become reminder drafts; a person approves; each is sent once."""

from almanac.desks.reminders.day import DEEDS, load_day, name_customers, name_reminder
from almanac.desks.reminders.demo import PART
from almanac.desks.reminders.events import AUDIT_SENTENCES, EVENTS, fill_audit_slots
from almanac.desks.reminders.explainer import WHY
from almanac.desks.reminders.indexing import list_search_providers
from almanac.desks.reminders.jobs import JOBS, MAIL_NEWS, SCHEDULES
from almanac.desks.reminders.permissions import READ, WRITE
from almanac.desks.reminders.service import count_approvals, count_waiting
from almanac.desks.reminders.urls import TABS
from almanac.desks.reminders.writer.letters import LETTER
from almanac.http.actions import Action
from almanac.http.desk import Desk
from almanac.kit.messages import gettext, pgettext

DESK = Desk(
    package=__name__,
    name="reminders",
    title=gettext("Reminders"),
    short_title=pgettext("phone bar", "Dues"),
    summary=gettext("Overdue invoices become reminder drafts; a person approves; each is sent once."),
    waiting=count_waiting,
    approvals=count_approvals,
    day=load_day,
    deeds=DEEDS,
    places={href: words for _, words, href in TABS},
    actions=(
        Action(
            title=gettext("Add a customer"),
            href="/reminders/customers/new",
            permission=WRITE,
            words="new create",
        ),
        Action(
            title=gettext("Add an invoice"),
            href="/reminders/invoices/new",
            permission=WRITE,
            words="new create",
        ),
        Action(
            title=gettext("Import customers and invoices"),
            href="/reminders/import",
            permission=WRITE,
            words="upload csv",
        ),
        Action(
            title=gettext("Draft reminders"),
            href="/reminders/plan?days=0",
            permission=READ,
            words="plan",
        ),
        Action(
            title=gettext("New reminder template"),
            href="/reminders/templates/new",
            permission=WRITE,
            words="write create",
        ),
    ),
    jobs=JOBS,
    schedules=SCHEDULES,
    writer_steps=(LETTER.name,),
    events=EVENTS,
    audit_sentences=AUDIT_SENTENCES,
    audit_slots=fill_audit_slots,
    audit_namers={"reminders.customer": name_customers},
    search_providers=list_search_providers,
    object_namers={"reminder": name_reminder},
    mail_result_job=MAIL_NEWS,
    demo=PART,
    why=WHY,
)

"""What people do with the ledger, templates, drafts, the plan and reports: one verb, one function, for a principal."""

from almanac.desks.reminders.service.customers import (
    CustomerEdit,
    add_customer,
    edit_customer,
    get_customer,
    is_customer,
    list_customers,
)
from almanac.desks.reminders.service.drafting import (
    DraftOutcome,
    draft_many,
    draft_reminder,
    edit_draft,
    redraft,
    require_debt,
    worded_anew,
)
from almanac.desks.reminders.service.explaining import Why, why
from almanac.desks.reminders.service.history import get_sent, history, list_sent, sent_mail, timeline
from almanac.desks.reminders.service.holds import NewHold, PlacedKind, holds_on, lift_hold, list_holds, place_hold
from almanac.desks.reminders.service.importing import import_here, import_report, refused_file, refused_of, try_import
from almanac.desks.reminders.service.invoices import (
    InvoiceEdit,
    NewInvoice,
    NewPayment,
    add_invoice,
    edit_invoice,
    find_invoices,
    get_invoice,
    invoices_of,
    list_invoices,
    payments_of,
    record_payment,
)
from almanac.desks.reminders.service.ladder import get_rules, save_rules
from almanac.desks.reminders.service.opting_out import opt_out
from almanac.desks.reminders.service.planning import due_customers, plan, recent_plan
from almanac.desks.reminders.service.queue import count_waiting, get_draft, list_drafts
from almanac.desks.reminders.service.replies import (
    IncomingReply,
    Reply,
    ReplyMeaning,
    confirm_reply,
    list_replies,
    receive_reply,
)
from almanac.desks.reminders.service.reports import ageing_report, recovered_report, time_to_pay_report
from almanac.desks.reminders.service.templates import (
    get_template,
    list_templates,
    list_versions,
    preview_template,
    save_template,
)

__all__ = [
    "CustomerEdit",
    "DraftOutcome",
    "IncomingReply",
    "InvoiceEdit",
    "NewHold",
    "NewInvoice",
    "NewPayment",
    "PlacedKind",
    "Reply",
    "ReplyMeaning",
    "Why",
    "add_customer",
    "add_invoice",
    "ageing_report",
    "confirm_reply",
    "count_waiting",
    "draft_many",
    "draft_reminder",
    "due_customers",
    "edit_customer",
    "edit_draft",
    "edit_invoice",
    "find_invoices",
    "get_customer",
    "get_draft",
    "get_invoice",
    "get_rules",
    "get_sent",
    "get_template",
    "history",
    "holds_on",
    "import_here",
    "import_report",
    "invoices_of",
    "is_customer",
    "lift_hold",
    "list_customers",
    "list_drafts",
    "list_holds",
    "list_invoices",
    "list_replies",
    "list_sent",
    "list_templates",
    "list_versions",
    "opt_out",
    "payments_of",
    "place_hold",
    "plan",
    "preview_template",
    "receive_reply",
    "recent_plan",
    "record_payment",
    "recovered_report",
    "redraft",
    "refused_file",
    "refused_of",
    "require_debt",
    "save_rules",
    "save_template",
    "sent_mail",
    "time_to_pay_report",
    "timeline",
    "try_import",
    "why",
    "worded_anew",
]

"""What people do with the ledger, templates, drafts, the plan and reports: one verb, one function, for a principal."""

from almanac.desks.reminders.service.customers import (
    CustomerEdit,
    add_customer,
    edit_customer,
    get_customer,
    list_customers,
)
from almanac.desks.reminders.service.drafting import DraftOutcome, draft_many, draft_reminder, edit_draft, redraft
from almanac.desks.reminders.service.importing import import_here, import_report, refused_file, refused_of, try_import
from almanac.desks.reminders.service.invoices import (
    InvoiceEdit,
    NewInvoice,
    NewPayment,
    add_invoice,
    edit_invoice,
    list_invoices,
    record_payment,
)
from almanac.desks.reminders.service.planning import due_customers, plan
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
    "InvoiceEdit",
    "NewInvoice",
    "NewPayment",
    "add_customer",
    "add_invoice",
    "ageing_report",
    "draft_many",
    "draft_reminder",
    "due_customers",
    "edit_customer",
    "edit_draft",
    "edit_invoice",
    "get_customer",
    "get_template",
    "import_here",
    "import_report",
    "list_customers",
    "list_invoices",
    "list_templates",
    "list_versions",
    "plan",
    "preview_template",
    "record_payment",
    "recovered_report",
    "redraft",
    "refused_file",
    "refused_of",
    "save_template",
    "time_to_pay_report",
    "try_import",
]

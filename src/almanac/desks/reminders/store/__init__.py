"""Every read and write of the desk's table, by name. The model decides what may be written.

A write that concerns a debt depends on the ladder as it was read. If that changed meanwhile, it is decided again, so
no two writes ever rest on the same state.
"""

from almanac.desks.reminders.store.drafts import (
    change_draft,
    count_drafts,
    create_draft,
    find_draft,
    find_drafts,
    get_draft,
    iterate_drafts,
    list_customer_drafts,
    list_drafts,
)
from almanac.desks.reminders.store.erasure import erase_customer, require_settled
from almanac.desks.reminders.store.ladders import (
    LedgerSnapshot,
    build_cases,
    get_rules,
    list_ladders,
    read_case,
    read_cases,
    read_ledger_snapshot,
    save_rules,
)
from almanac.desks.reminders.store.ledger import (
    add_hold,
    create_customer,
    lift_hold,
    record_payment,
    refresh_open_drafts,
    save_customer,
    save_invoices,
)
from almanac.desks.reminders.store.ledger_queries import (
    find_customers,
    find_invoice,
    get_customer,
    get_invoice,
    list_customer_holds,
    list_customer_invoices,
    list_customers,
    list_holds,
    list_invoices,
    list_payments,
    list_replies,
)
from almanac.desks.reminders.store.sent import (
    SentMail,
    get_sent,
    get_sent_mail,
    list_sent,
    list_sent_to_customer,
    record_delivery,
    record_sent,
)
from almanac.desks.reminders.store.templates import find_active_template, list_template_versions

__all__ = [
    "LedgerSnapshot",
    "SentMail",
    "add_hold",
    "build_cases",
    "change_draft",
    "count_drafts",
    "create_customer",
    "create_draft",
    "erase_customer",
    "find_active_template",
    "find_customers",
    "find_draft",
    "find_drafts",
    "find_invoice",
    "get_customer",
    "get_draft",
    "get_invoice",
    "get_rules",
    "get_sent",
    "get_sent_mail",
    "iterate_drafts",
    "lift_hold",
    "list_customer_drafts",
    "list_customer_holds",
    "list_customer_invoices",
    "list_customers",
    "list_drafts",
    "list_holds",
    "list_invoices",
    "list_ladders",
    "list_payments",
    "list_replies",
    "list_sent",
    "list_sent_to_customer",
    "list_template_versions",
    "read_case",
    "read_cases",
    "read_ledger_snapshot",
    "record_delivery",
    "record_payment",
    "record_sent",
    "refresh_open_drafts",
    "require_settled",
    "save_customer",
    "save_invoices",
    "save_rules",
]

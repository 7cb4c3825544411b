"""Every read and write of reminders in their table, by name; what may be written is decided by the desk's model.

A write that concerns a debt is made on a ladder as it was read and fails when that has changed since; it is then
decided anew. So no two of them ever rest on the same state.
"""

from almanac.desks.reminders.store.counting import count_drafts
from almanac.desks.reminders.store.drafts import DraftChange, change_draft, create_draft
from almanac.desks.reminders.store.erasing import erase_customer
from almanac.desks.reminders.store.ledger import (
    add_hold,
    create_customer,
    lift_hold,
    record_payment,
    save_customer,
    save_invoices,
)
from almanac.desks.reminders.store.outcomes import SentMail, note_delivery, record_sent
from almanac.desks.reminders.store.reading import (
    customers_among,
    drafts_among,
    find_draft,
    find_invoice,
    get_customer,
    get_draft,
    get_invoice,
    get_sent,
    get_sent_bytes,
    holds_of,
    invoices_of,
    invoices_with_state,
    ladders_of,
    list_customers,
    list_drafts,
    list_history,
    list_sent,
    payments_of,
    read_case,
    read_cases,
    standing_holds,
    standing_replies,
)
from almanac.desks.reminders.store.rules import get_rules, save_rules
from almanac.desks.reminders.store.templates import latest_template

__all__ = [
    "DraftChange",
    "SentMail",
    "add_hold",
    "change_draft",
    "count_drafts",
    "create_customer",
    "create_draft",
    "customers_among",
    "drafts_among",
    "erase_customer",
    "find_draft",
    "find_invoice",
    "get_customer",
    "get_draft",
    "get_invoice",
    "get_rules",
    "get_sent",
    "get_sent_bytes",
    "holds_of",
    "invoices_of",
    "invoices_with_state",
    "ladders_of",
    "latest_template",
    "lift_hold",
    "list_customers",
    "list_drafts",
    "list_history",
    "list_sent",
    "note_delivery",
    "payments_of",
    "read_case",
    "read_cases",
    "record_payment",
    "record_sent",
    "save_customer",
    "save_invoices",
    "save_rules",
    "standing_holds",
    "standing_replies",
]

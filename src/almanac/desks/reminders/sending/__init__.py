"""The way of a reminder from draft to outcome, as people and jobs walk it: decide, send, follow, settle, erase."""

from almanac.desks.reminders.sending.deciding import (
    approve,
    cancel,
    reject,
    reopen,
    rewrite,
    rules_of,
    snooze,
    wake,
)
from almanac.desks.reminders.sending.dispatch import send
from almanac.desks.reminders.sending.erasing import erase
from almanac.desks.reminders.sending.following import follow, follow_mail, reconsider, settle

__all__ = [
    "approve",
    "cancel",
    "erase",
    "follow",
    "follow_mail",
    "reconsider",
    "reject",
    "reopen",
    "rewrite",
    "rules_of",
    "send",
    "settle",
    "snooze",
    "wake",
]

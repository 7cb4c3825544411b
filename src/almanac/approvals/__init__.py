"""Approvals: bound to the hash of exactly what was approved, void on any change; pure rules, and a store for them."""

from almanac.approvals.hashing import canonical_json, content_hash
from almanac.approvals.model import Approval, Person, State, Subject, Verdict
from almanac.approvals.port import Approvals
from almanac.approvals.rules import AlreadyDecided, ContentChanged, NotApproved, Rules

__all__ = [
    "AlreadyDecided",
    "Approval",
    "Approvals",
    "ContentChanged",
    "NotApproved",
    "Person",
    "Rules",
    "State",
    "Subject",
    "Verdict",
    "canonical_json",
    "content_hash",
]

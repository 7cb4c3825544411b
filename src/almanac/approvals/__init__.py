"""Approvals: bound to the hash of exactly what was approved, void on any change; pure rules, and a store for them."""

from almanac.approvals.content_hash import canonical_json, content_hash
from almanac.approvals.model import Approval, ApprovalPerson, ApprovalState, ApprovalSubject, Verdict
from almanac.approvals.port import Approvals
from almanac.approvals.rules import AlreadyDecided, ApprovalRules, ContentChanged, NotApproved

__all__ = [
    "AlreadyDecided",
    "Approval",
    "ApprovalPerson",
    "ApprovalRules",
    "ApprovalState",
    "ApprovalSubject",
    "Approvals",
    "ContentChanged",
    "NotApproved",
    "Verdict",
    "canonical_json",
    "content_hash",
]

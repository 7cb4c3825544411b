"""People without an account who follow something by mail, after confirming that the address is theirs."""

from almanac.subscribers.alert_mails import AlertMails
from almanac.subscribers.links import AlertLinks, AlertTokens
from almanac.subscribers.model import AlertQuote, FollowedTarget, FollowRequest, MailFrequency, QuoteLoader, UntoldPart
from almanac.subscribers.service import Subscribers

__all__ = [
    "AlertLinks",
    "AlertMails",
    "AlertQuote",
    "AlertTokens",
    "FollowRequest",
    "FollowedTarget",
    "MailFrequency",
    "QuoteLoader",
    "Subscribers",
    "UntoldPart",
]

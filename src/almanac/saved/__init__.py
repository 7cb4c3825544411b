"""Saved queries: a person's searches by name, their private feeds, and mails about what is new in them."""

from almanac.saved.alerts import Alerts
from almanac.saved.feeds import SavedFeeds
from almanac.saved.model import Alert, AlertWish, Frequency, QueryWish, SavedQuery
from almanac.saved.service import SavedQueries

__all__ = ["Alert", "AlertWish", "Alerts", "Frequency", "QueryWish", "SavedFeeds", "SavedQueries", "SavedQuery"]

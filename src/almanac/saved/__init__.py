"""Saved queries: named searches of a person, their private feeds, and mail alerts about new matches."""

from almanac.saved.alerts import Alerts
from almanac.saved.feeds import SavedFeeds
from almanac.saved.model import Alert, AlertSettings, Frequency, SavedQuery, SavedQueryInput
from almanac.saved.service import SavedQueries

__all__ = [
    "Alert",
    "AlertSettings",
    "Alerts",
    "Frequency",
    "SavedFeeds",
    "SavedQueries",
    "SavedQuery",
    "SavedQueryInput",
]

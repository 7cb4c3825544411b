"""Notifications: what happened that people want to know, told to each by the channels they chose, once."""

from almanac.notifications.model import (
    ADDRESSED,
    MorningChoice,
    NotificationChannel,
    NotificationKind,
    NotificationProfile,
    NotificationSettings,
)
from almanac.notifications.service import Notifications

__all__ = [
    "ADDRESSED",
    "MorningChoice",
    "NotificationChannel",
    "NotificationKind",
    "NotificationProfile",
    "NotificationSettings",
    "Notifications",
]

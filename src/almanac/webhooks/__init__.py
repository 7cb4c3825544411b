"""Webhooks out: events published in the caller's transaction, signed, delivered by jobs with retries, and logged."""

from almanac.webhooks.events import PLATFORM_EVENTS, EventRegistry, EventType
from almanac.webhooks.model import Attempt, Delivery, DeliveryDetail, DeliveryState, Endpoint, NewEndpoint
from almanac.webhooks.port import EventPublisher
from almanac.webhooks.service import EndpointEdit, Webhooks

__all__ = [
    "PLATFORM_EVENTS",
    "Attempt",
    "Delivery",
    "DeliveryDetail",
    "DeliveryState",
    "Endpoint",
    "EndpointEdit",
    "EventPublisher",
    "EventRegistry",
    "EventType",
    "NewEndpoint",
    "Webhooks",
]

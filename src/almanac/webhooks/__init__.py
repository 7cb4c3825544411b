"""Outgoing webhooks: events published in the caller's transaction, signed, delivered with retries, and logged."""

from almanac.webhooks.events import PLATFORM_EVENTS, EventPublisher, EventRegistry, EventType
from almanac.webhooks.model import (
    DeliveryAttempt,
    NewWebhookEndpoint,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookDeliveryState,
    WebhookEndpoint,
)
from almanac.webhooks.service import EndpointEdit, Webhooks

__all__ = [
    "PLATFORM_EVENTS",
    "DeliveryAttempt",
    "EndpointEdit",
    "EventPublisher",
    "EventRegistry",
    "EventType",
    "NewWebhookEndpoint",
    "WebhookDelivery",
    "WebhookDeliveryDetail",
    "WebhookDeliveryState",
    "WebhookEndpoint",
    "Webhooks",
]

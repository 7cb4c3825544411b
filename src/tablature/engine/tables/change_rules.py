"""Which changes one UpdateTable request may combine; each of these is refused before the table is looked up."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.errors import invalid_parameter, limit_exceeded, validation
from tablature.engine.tables.settings import check_changed_stream, check_encryption, check_table_class

Request = Mapping[str, Any]
_EFFECTIVE = (
    "ProvisionedThroughput",
    "BillingMode",
    "StreamSpecification",
    "GlobalSecondaryIndexUpdates",
    "SSESpecification",
    "ReplicaUpdates",
    "DeletionProtectionEnabled",
    "OnDemandThroughput",
    "WarmThroughput",
    "TableClass",
)
# In the order in which the service names the offender when several are there.
_ALONE = {
    "SSESpecification": "Server-Side Encryption modification must be the only operation in the request",
    "TableClass": "TableClass modification must be the only operation in the request",
    "DeletionProtectionEnabled": "DeletionProtection modification must be the only operation in the request",
    "ReplicaUpdates": "Replica modification must be the only operation in the request",
    "WarmThroughput": "WarmThroughput must be the only operation in the request",
}


def check_combination(request: Request) -> None:
    """Refuse a request that changes nothing, or that changes together what must be changed apart."""
    present = [name for name in _EFFECTIVE if request.get(name) is not None]
    if not present or (present == ["GlobalSecondaryIndexUpdates"] and not request["GlobalSecondaryIndexUpdates"]):
        raise validation(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
            "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
            "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass "
            "is required"
        )
    if request.get("GlobalSecondaryIndexUpdates") == []:
        raise invalid_parameter("List of GlobalSecondaryIndexUpdates is empty")
    _check_index_actions(request)
    _check_alone(request, present)
    _check_capacity_changes(request, present)
    _check_values(request)


def _check_index_actions(request: Request) -> None:
    seen: set[str] = set()
    for update in request.get("GlobalSecondaryIndexUpdates") or ():
        if not update:
            raise invalid_parameter(
                "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                "GlobalSecondaryIndexUpdate.Delete must not be null"
            )
        if len(update) > 1:
            raise invalid_parameter(
                "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"
            )
        (action,) = update.values()
        if action["IndexName"] in seen:
            raise invalid_parameter(
                "Only one global secondary index update per index is allowed simultaneously. "
                f"Index: {action['IndexName']}"
            )
        seen.add(action["IndexName"])


def check_online_actions(request: Request) -> None:
    """Refuse a second creation or deletion of an index in one request."""
    updates = request.get("GlobalSecondaryIndexUpdates") or ()
    if sum("Create" in update or "Delete" in update for update in updates) > 1:
        raise limit_exceeded(
            "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
        )


def _check_alone(request: Request, present: list[str]) -> None:
    if "WarmThroughput" in present and changes_indexes(request, "Create"):
        raise invalid_parameter("Create global secondary index cannot be specified when updating WarmThroughput")
    for name, refusal in _ALONE.items():
        if name in present and len(present) > 1:
            raise invalid_parameter(refusal)
    if "OnDemandThroughput" in present and set(present) - {"OnDemandThroughput", "BillingMode"}:
        raise invalid_parameter("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request")


def _check_capacity_changes(request: Request, present: list[str]) -> None:
    changes_capacity = "ProvisionedThroughput" in present
    if "StreamSpecification" in present and (changes_capacity or request.get("BillingMode") == "PROVISIONED"):
        raise invalid_parameter("You cannot modify stream status while updating table IOPS")
    if changes_indexes(request, "Create") or changes_indexes(request, "Delete"):
        if changes_capacity:
            raise invalid_parameter("You cannot create or delete index while updating table IOPS")
        if "StreamSpecification" in present:
            raise invalid_parameter("You cannot create or delete index while changing stream status")


def _check_values(request: Request) -> None:
    billing, throughput = request.get("BillingMode"), request.get("ProvisionedThroughput")
    if billing == "PAY_PER_REQUEST" and throughput is not None:
        raise invalid_parameter("ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST")
    if billing == "PROVISIONED" and throughput is None:
        raise invalid_parameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
    if (stream := request.get("StreamSpecification")) is not None:
        check_changed_stream(stream)
    check_encryption(request.get("SSESpecification"))
    check_table_class(request.get("TableClass"))
    if request.get("ReplicaUpdates") is not None:
        raise validation("Global tables are not supported: this endpoint serves a single region.")


def changes_indexes(request: Request, action: str) -> bool:
    """Say whether a request has an index action of a kind."""
    return any(action in update for update in request.get("GlobalSecondaryIndexUpdates") or ())

"""Which capacity settings go with which billing mode, for tables and for global indexes."""

from collections.abc import Mapping
from typing import Any, Literal

from tablature.engine.errors import invalid_parameter, validation_error
from tablature.engine.schema import Throughput

Billing = Literal["PROVISIONED", "PAY_PER_REQUEST"]
MAX_UNITS = 1_000_000_000_000
ON_DEMAND_WARM_READS = 12_000
ON_DEMAND_WARM_WRITES = 4_000
_ON_DEMAND_MEMBERS = ("MaxReadRequestUnits", "MaxWriteRequestUnits")


def parse_table_throughput(billing: Billing, given: Mapping[str, Any] | None) -> Throughput:
    """Check a new table's throughput against its billing mode."""
    if billing == "PAY_PER_REQUEST":
        if given is not None:
            raise invalid_parameter(
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
            )
        return Throughput()
    if given is None:
        raise invalid_parameter(
            "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
        )
    return to_throughput(given)


def to_throughput(given: Mapping[str, Any]) -> Throughput:
    """The units of a ProvisionedThroughput. Raises if they are above the limit."""
    for name in ("ReadCapacityUnits", "WriteCapacityUnits"):
        if given[name] > MAX_UNITS:
            raise validation_error(f"Given value {given[name]} for {name} is out of bounds")
    return Throughput(given["ReadCapacityUnits"], given["WriteCapacityUnits"])


def parse_index_throughput(billing: Billing, index: Mapping[str, Any]) -> Throughput:
    """Check a new table's global index throughput against the table's billing mode."""
    given = index.get("ProvisionedThroughput")
    name = index["IndexName"]
    if billing == "PAY_PER_REQUEST":
        if given is not None:
            raise invalid_parameter(
                f"ProvisionedThroughput should not be specified for index: {name} when BillingMode is PAY_PER_REQUEST"
            )
        return Throughput()
    if given is None:
        raise invalid_parameter(f"ProvisionedThroughput is not specified for index: {name}")
    return to_throughput(given)


def check_on_demand(
    billing: Billing, given: Mapping[str, Any] | None, subject: str = "table", *, clearable: bool = False
) -> None:
    """Reject on-demand ceilings on a provisioned table, or ceilings out of range (-1 clears one when changing)."""
    for name in _ON_DEMAND_MEMBERS:
        units = (given or {}).get(name)
        if units is None:
            continue
        if billing == "PROVISIONED":
            raise invalid_parameter(
                f"{name} for OnDemandThroughput {_index_suffix(subject)}cannot be specified when table BillingMode "
                "is PROVISIONED."
            )
        if units < 1 and not (clearable and units == -1):
            raise invalid_parameter(f"Requested {name} for OnDemandThroughput for {subject} is outside of valid range")


def _index_suffix(subject: str) -> str:
    return "" if subject == "table" else f"for {subject.replace(' :', ':')} "


def check_warm(billing: Billing, throughput: Throughput, given: Mapping[str, Any] | None, subject: str) -> None:
    """Reject warm throughput below what the billing mode starts with."""
    floors = {
        "ReadUnitsPerSecond": (ON_DEMAND_WARM_READS, throughput.read, "ReadCapacityUnits"),
        "WriteUnitsPerSecond": (ON_DEMAND_WARM_WRITES, throughput.write, "WriteCapacityUnits"),
    }
    for name, (initial, provisioned, units) in floors.items():
        wanted = (given or {}).get(name)
        if wanted is None:
            continue
        if billing == "PAY_PER_REQUEST" and wanted < initial:
            raise invalid_parameter(
                f"Requested {name} for WarmThroughput for {subject} is lower than initial throughput for OnDemand"
            )
        if billing == "PROVISIONED" and wanted < provisioned:
            raise invalid_parameter(
                f"Requested {name} for WarmThroughput for {subject} is lower than {units} of ProvisionedThroughput"
            )


def reject_same_throughput(subject: str, kind: str, current: Throughput, wanted: Throughput) -> None:
    """Reject a change of throughput that changes nothing."""
    if current != wanted:
        return
    raise validation_error(
        f"The provisioned throughput for the {subject} will not change. The requested value equals the current value. "
        f"Current ReadCapacityUnits provisioned for the {kind}: {current.read}. "
        f"Requested ReadCapacityUnits: {wanted.read}. "
        f"Current WriteCapacityUnits provisioned for the {kind}: {current.write}. "
        f"Requested WriteCapacityUnits: {wanted.write}. "
        "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
    )

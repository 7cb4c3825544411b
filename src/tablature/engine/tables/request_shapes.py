"""The request shapes that describe tables and indexes, shared by every operation that creates or changes them."""

from tablature.engine.validation.constraints import anything, enum, integer, list_of, member, string, structure
from tablature.engine.validation.shapes import INDEX_NAME

_ATTRIBUTE_NAME = string(1, 255)

ATTRIBUTE_DEFINITIONS = list_of(
    structure(
        member("AttributeName", _ATTRIBUTE_NAME, required=True),
        member("AttributeType", enum("B", "N", "S"), required=True),
        name="AttributeDefinition",
    )
)
_KEY_SCHEMA_ELEMENT = structure(
    member("AttributeName", _ATTRIBUTE_NAME, required=True),
    member("KeyType", enum("HASH", "RANGE"), required=True),
    name="KeySchemaElement",
)
KEY_SCHEMA = list_of(_KEY_SCHEMA_ELEMENT, 1, 2)
GLOBAL_KEY_SCHEMA = list_of(_KEY_SCHEMA_ELEMENT, 1, 8)
PROJECTION = structure(
    member("ProjectionType", enum("ALL", "INCLUDE", "KEYS_ONLY")),
    member("NonKeyAttributes", list_of(string(1, 255), 1, 20)),
    name="Projection",
)
PROVISIONED_THROUGHPUT = structure(
    member("WriteCapacityUnits", integer(1), required=True),
    member("ReadCapacityUnits", integer(1), required=True),
    name="ProvisionedThroughput",
)
ON_DEMAND_THROUGHPUT = structure(
    member("MaxReadRequestUnits", integer()),
    member("MaxWriteRequestUnits", integer()),
    name="OnDemandThroughput",
)
WARM_THROUGHPUT = structure(
    member("ReadUnitsPerSecond", integer()),
    member("WriteUnitsPerSecond", integer()),
    name="WarmThroughput",
)
LOCAL_INDEX = structure(
    member("IndexName", INDEX_NAME, required=True),
    member("KeySchema", KEY_SCHEMA, required=True),
    member("Projection", PROJECTION, required=True),
    name="LocalSecondaryIndex",
)
_GLOBAL_INDEX_MEMBERS = (
    member("IndexName", INDEX_NAME, required=True),
    member("KeySchema", GLOBAL_KEY_SCHEMA, required=True),
    member("Projection", PROJECTION, required=True),
    member("ProvisionedThroughput", PROVISIONED_THROUGHPUT),
    member("OnDemandThroughput", ON_DEMAND_THROUGHPUT),
    member("WarmThroughput", WARM_THROUGHPUT),
)
GLOBAL_INDEX = structure(*_GLOBAL_INDEX_MEMBERS, name="GlobalSecondaryIndex")
GLOBAL_INDEX_UPDATE = structure(
    member(
        "Update",
        structure(
            member("IndexName", INDEX_NAME, required=True),
            member("ProvisionedThroughput", PROVISIONED_THROUGHPUT),
            member("OnDemandThroughput", ON_DEMAND_THROUGHPUT),
            member("WarmThroughput", WARM_THROUGHPUT),
            name="UpdateGlobalSecondaryIndexAction",
        ),
    ),
    member("Create", structure(*_GLOBAL_INDEX_MEMBERS, name="CreateGlobalSecondaryIndexAction")),
    member(
        "Delete",
        structure(member("IndexName", INDEX_NAME, required=True), name="DeleteGlobalSecondaryIndexAction"),
    ),
    name="GlobalSecondaryIndexUpdate",
)
BILLING_MODE = enum("PROVISIONED", "PAY_PER_REQUEST")
STREAM_SPECIFICATION = structure(
    member("StreamEnabled", anything(), required=True),
    member("StreamViewType", enum("NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY")),
    name="StreamSpecification",
)
SSE_SPECIFICATION = structure(
    member("Enabled", anything()),
    member("SSEType", enum("AES256", "KMS")),
    member("KMSMasterKeyId", anything()),
    name="SSESpecification",
)
TAGS = list_of(structure(member("Key", anything()), member("Value", anything()), name="Tag"))

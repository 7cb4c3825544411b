"""tablature: single-table design for DynamoDB, with an embedded engine; usable without Almanac.

What is heavy to import has its own module: `tablature.async_database`, and the transports
`tablature.transport.embedded`, `.aws` and `.recorder`.
"""

from tablature.database import Database
from tablature.explain import Explanation, explain
from tablature.expressions.conditions import Condition
from tablature.objects import MemoryObjects, Objects
from tablature.operations.backfill import Progress
from tablature.operations.commit import Outcome
from tablature.operations.cost import Cost, Spent
from tablature.operations.queues import Claim
from tablature.operations.reads import Page
from tablature.operations.writes import Write, check, create, delete, patch, put, raw, update, upsert
from tablature.schema.collections import Collection
from tablature.schema.declarations import Thin, fanout, index, primary, queue, unique
from tablature.schema.entity import Entity, replace, schema_of, upcast, values_of
from tablature.schema.fields import Attr, Field, attr, auto_now, auto_now_add, blob, expires, version
from tablature.schema.model import Index, Table
from tablature.schema.patterns import Pattern, Query, at_least, at_most, between, pattern, starting_with
from tablature.schema.refs import Ref

__all__ = [
    "Attr",
    "Claim",
    "Collection",
    "Condition",
    "Cost",
    "Database",
    "Entity",
    "Explanation",
    "Field",
    "Index",
    "MemoryObjects",
    "Objects",
    "Outcome",
    "Page",
    "Pattern",
    "Progress",
    "Query",
    "Ref",
    "Spent",
    "Table",
    "Thin",
    "Write",
    "at_least",
    "at_most",
    "attr",
    "auto_now",
    "auto_now_add",
    "between",
    "blob",
    "check",
    "create",
    "delete",
    "expires",
    "explain",
    "fanout",
    "index",
    "patch",
    "pattern",
    "primary",
    "put",
    "queue",
    "raw",
    "replace",
    "schema_of",
    "starting_with",
    "unique",
    "upcast",
    "update",
    "upsert",
    "values_of",
    "version",
]

"""tablature: single-table design for DynamoDB, with an embedded engine; usable without Almanac."""

from .schema.collections import Collection
from .schema.declarations import fanout, index, primary, queue, unique
from .schema.entity import Entity, replace, schema_of, upcast
from .schema.fields import Attr, Field, attr, auto_now, auto_now_add, blob, expires, version
from .schema.model import Index, Table
from .schema.patterns import Pattern, Query, at_least, at_most, between, pattern, starting_with
from .schema.refs import Ref

__all__ = [
    "Attr",
    "Collection",
    "Entity",
    "Field",
    "Index",
    "Pattern",
    "Query",
    "Ref",
    "Table",
    "at_least",
    "at_most",
    "attr",
    "auto_now",
    "auto_now_add",
    "between",
    "blob",
    "expires",
    "fanout",
    "index",
    "pattern",
    "primary",
    "queue",
    "replace",
    "schema_of",
    "starting_with",
    "unique",
    "upcast",
    "version",
]

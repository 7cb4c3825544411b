"""The declarations of a class body (`primary`, `index`, `fanout`, `unique`, `queue`) and the schema each builds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from tablature.errors import DeclarationError
from tablature.schema.model import (
    EntitySchema,
    FanoutPath,
    IndexPath,
    PathSchema,
    QueueSchema,
    Table,
    UniqueSchema,
    WhenClause,
)
from tablature.schema.refs import PrimaryKey

from .fields import FieldOptions, FieldSchema
from .kinds import TEXT, dataclass_fields
from .templates import KeyPart, key_part, parse_template

E = TypeVar("E")
V = TypeVar("V")
P = TypeVar("P", bound=PathSchema)
WhenMapping = Mapping[str, Any]
_LEAST_SHARDS = 1


class BoundPath(Generic[E, P]):
    """A path of one entity class, such as `Newsletter.by_user`. Reading it returns values of type E."""

    def __init__(self, owner: EntitySchema, schema: P) -> None:
        self.owner = owner
        self.schema = schema

    def __repr__(self) -> str:
        return f"{self.owner.name}.{self.schema.name}"


class Thin:
    """A fan-out copy: the listed fields as attributes, and `each`, its element."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    __hash__ = None  # type: ignore[assignment]  # its fields may be lists

    def __repr__(self) -> str:
        return f"Thin({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"


class Declaration:
    """Base of declarations in a class body. Its name is the attribute it was assigned to."""

    name = ""
    doc = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class IndexDeclaration(Declaration):
    """`index(...)` in a class body."""

    def __init__(
        self,
        index: str,
        pk: str,
        sk: str | None,
        when: WhenMapping | None,
        shards: int,
        by: str | None,
        include_unsharded: bool,
        doc: str,
    ) -> None:
        self.index, self.pk, self.sk, self.doc = index, pk, sk, doc
        self.when, self.shards, self.by, self.include_unsharded = when or {}, shards, by, include_unsharded

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type[E]) -> BoundPath[E, IndexPath]: ...

    def build(self, table: Table, fields: Mapping[str, FieldSchema], primary: PathSchema) -> IndexPath:
        index = table.index(self.index)
        self._check(index.sk, fields)
        partition = self._part(index.pk, self.pk, table, fields, primary)
        if self.shards > 1 and (partition.is_native or partition.wire != "S"):
            raise DeclarationError(f"{self.name!r} can't be sharded: its partition key is itself a field or no text.")
        sort = None
        if index.sk is not None and self.sk is not None:
            sort = self._part(index.sk, self.sk, table, fields, primary)
        when = tuple(_when_clauses(name, wanted) for name, wanted in self.when.items())
        return IndexPath(
            self.name, self.index, partition, sort, self.doc, when, self.shards, self.by, self.include_unsharded
        )

    def _part(
        self, attribute: str, source: str, table: Table, fields: Mapping[str, FieldSchema], primary: PathSchema
    ) -> KeyPart:
        """A key attribute. If the table's own key uses it too, the templates must be equal."""
        for part in primary.parts:
            if part.attribute == attribute:
                if part.template.source != source:
                    raise DeclarationError(
                        f"{self.name!r} and the primary key give {attribute!r} two different templates."
                    )
                return part
        return key_part(attribute, table.attribute_types()[attribute], source, fields, table.delimiter)

    def _check(self, sk: str | None, fields: Mapping[str, FieldSchema]) -> None:
        if (sk is None) != (self.sk is None):
            raise DeclarationError(
                f"{self.name!r} and the index {self.index!r} disagree on whether there is a sort key."
            )
        if self.shards < _LEAST_SHARDS or (self.shards > 1) != (self.by is not None):
            raise DeclarationError(f"{self.name!r} needs both shards (two or more) and by (a field), or neither.")
        for name in (*self.when, *([self.by] if self.by else ())):
            if name not in fields:
                raise DeclarationError(f"{self.name!r} names {name!r}, which is not a field.")


def _when_clauses(name: str, wanted: Any) -> WhenClause:
    if callable(wanted):
        return WhenClause(name, test=wanted)
    if isinstance(wanted, Collection) and not isinstance(wanted, str | bytes):
        return WhenClause(name, tuple(wanted))
    return WhenClause(name, (wanted,))


class FanoutDeclaration(Declaration, Generic[V]):
    """`fanout(...)` in a class body."""

    def __init__(
        self,
        each: str,
        pk: str,
        sk: str | None,
        fields: tuple[str, ...],
        constants: Mapping[str, str],
        view: type | None,
        of: str | None,
        doc: str,
    ) -> None:
        self.each, self.pk, self.sk, self.fields = each, pk, sk, fields
        self.constants, self.view, self.of, self.doc = constants, view, of, doc

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type) -> BoundPath[V, FanoutPath]: ...

    def build(self, table: Table, fields: Mapping[str, FieldSchema]) -> FanoutPath:
        unknown = [name for name in (self.each, *self.fields) if name not in fields]
        if unknown:
            raise DeclarationError(f"{self.name!r} names {unknown[0]!r}, which is not a field.")
        if (table.sk is None) != (self.sk is None):
            raise DeclarationError(f"{self.name!r} needs a sort key template exactly when the table has a sort key.")
        source = fields[self.each]
        kind = source.kind.inner[0] if source.kind.shape in ("list", "set") else source.kind
        kind = kind if self.of is None else TEXT
        element = FieldSchema("each", "\0each", kind.name, kind, optional=False, options=FieldOptions())
        template_fields = {**fields, "each": element}
        partition = key_part(table.pk, table.pk_type, self.pk, template_fields, table.delimiter)
        sort = None
        if table.sk is not None and self.sk is not None:
            sort = key_part(table.sk, table.sk_type, self.sk, template_fields, table.delimiter)
        path = FanoutPath(
            self.name, None, partition, sort, self.doc, self.each, self.fields, self.constants, self.view, self.of
        )
        if "each" not in {name for part in path.parts for name in part.fields}:
            raise DeclarationError(f"{self.name!r} must have {{each}} in one of its keys, or its copies would collide.")
        return path


class PrimaryDeclaration(Declaration):
    """`primary(...)` in a class body."""

    def __init__(self, pk: str, sk: str | None, doc: str) -> None:
        self.pk, self.sk, self.doc = pk, sk, doc

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type[E]) -> PrimaryKey[E]: ...

    def build(self, table: Table, fields: Mapping[str, FieldSchema]) -> PathSchema:
        if (table.sk is None) != (self.sk is None):
            raise DeclarationError(f"{self.name!r} needs a sort key template exactly when the table has a sort key.")
        partition = key_part(table.pk, table.pk_type, self.pk, fields, table.delimiter)
        sort = None
        if table.sk is not None and self.sk is not None:
            sort = key_part(table.sk, table.sk_type, self.sk, fields, table.delimiter)
        path = PathSchema(self.name, None, partition, sort, self.doc)
        for name in sorted(path.sources):
            if fields[name].optional:
                raise DeclarationError(f"The primary key is made from {name!r}, so that field can't be optional.")
        return path


class UniqueDeclaration(Declaration):
    """`unique(...)` in a class body."""

    def __init__(self, fields: tuple[str, ...], window: timedelta | None, doc: str) -> None:
        self.fields, self.window, self.doc = fields, window, doc

    def build(self, table: Table, fields: Mapping[str, FieldSchema]) -> UniqueSchema:
        for name in self.fields:
            if name not in fields:
                raise DeclarationError(f"{self.name!r} names {name!r}, which is not a field.")
            parse_template(f"{{{name}}}", fields, table.delimiter)
        return UniqueSchema(self.name, self.fields, self.window, self.doc)


class QueueDeclaration(Declaration):
    """`queue(...)` in a class body."""

    def __init__(self, path: IndexDeclaration, field: str, **options: Any) -> None:
        self.path, self.field, self.options = path, field, options
        self.doc = options["doc"]

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type[E]) -> BoundQueue[E]: ...

    def build(self, indexes: Mapping[str, IndexPath], fields: Mapping[str, FieldSchema]) -> QueueSchema:
        path = indexes[self.path.name]
        if self.field not in path.partition.fields:
            raise DeclarationError(f"{self.name!r} needs an index whose partition is made from {self.field!r}.")
        attempts = self.options["attempts"]
        if attempts in fields and fields[attempts].kind.shape != "integer":
            raise DeclarationError(f"{self.name!r} counts attempts in {attempts!r}, which must be an int.")
        return QueueSchema(self.name, path, self.field, **self.options)


class BoundQueue(Generic[E]):
    """A queue of one entity class, such as `Task.work`."""

    def __init__(self, cls: type[E], owner: EntitySchema, schema: QueueSchema) -> None:
        self.cls = cls
        self.owner = owner
        self.schema = schema


def primary(pk: str, sk: str | None = None, *, doc: str = "") -> PrimaryDeclaration:
    """The entity's own key."""
    return PrimaryDeclaration(pk, sk, doc)


def index(
    name: str,
    pk: str,
    sk: str | None = None,
    *,
    when: WhenMapping | None = None,
    shards: int = 1,
    by: str | None = None,
    include_unsharded: bool = False,
    doc: str = "",
) -> IndexDeclaration:
    """Keys in a secondary index. `when` keeps it sparse: {field: value, values or test}. `shards` spreads a partition
    by a hash of the field `by`; `include_unsharded` also reads items that were written without a shard."""
    return IndexDeclaration(name, pk, sk, when, shards, by, include_unsharded, doc)


@overload
def fanout(
    *,
    each: str,
    pk: str,
    sk: str | None = ...,
    fields: tuple[str, ...] = ...,
    constants: Mapping[str, str] | None = ...,
    of: str | None = ...,
    doc: str = ...,
) -> FanoutDeclaration[Thin]: ...
@overload
def fanout(
    *,
    each: str,
    pk: str,
    sk: str | None = ...,
    view: type[V],
    constants: Mapping[str, str] | None = ...,
    of: str | None = ...,
    doc: str = ...,
) -> FanoutDeclaration[V]: ...
def fanout(
    *,
    each: str,
    pk: str,
    sk: str | None = None,
    fields: tuple[str, ...] = (),
    constants: Mapping[str, str] | None = None,
    view: type[Any] | None = None,
    of: str | None = None,
    doc: str = "",
) -> FanoutDeclaration[Any]:
    """Thin copies, one per element of the field `each` (or one, if it isn't a collection); `{each}` is the element.
    Where elements are maps, `of` names the text member that `{each}` is. Copies hold the listed fields, or those of the
    dataclass `view`, as which they are then read."""
    if view is not None:
        fields = dataclass_fields(view)
    return FanoutDeclaration(each, pk, sk, fields, constants or {}, view, of, doc)


def unique(*fields: str, window: timedelta | None = None, doc: str = "") -> UniqueDeclaration:
    """No two items may have the same values of these fields; with a window, for that long after each write."""
    return UniqueDeclaration(fields, window, doc)


def queue(
    path: IndexDeclaration,
    *,
    ready: Any,
    running: Any = None,
    done: Any = None,
    failed: Any = None,
    field: str = "status",
    lease: timedelta = timedelta(minutes=5),
    most_attempts: int | None = None,
    attempts: str = "attempts",
    doc: str = "",
) -> QueueDeclaration:
    """A work queue: items whose `field` is `ready` can be claimed. With `running`, a claim also sets the field."""
    return QueueDeclaration(
        path,
        field,
        ready=ready,
        running=running,
        done=done,
        failed=failed,
        lease=lease,
        most_attempts=most_attempts,
        attempts=attempts,
        doc=doc,
    )

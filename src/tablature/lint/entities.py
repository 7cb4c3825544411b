"""Checks of entities and their fields: growth, size, lost updates, old versions, and unsuitable types."""

from collections.abc import Iterator

from tablature.design.model import Design
from tablature.design.samples import split_words
from tablature.lint.checks import LintIssue, issue_at, lint_check
from tablature.operations.items import GENERATION, MARKER, STAGED
from tablature.schema.codec import VERSION_ATTRIBUTE
from tablature.schema.fields import FieldSchema
from tablature.wire import LARGEST_ITEM

_RESERVED_ATTRIBUTES = frozenset({MARKER, STAGED, GENERATION, VERSION_ATTRIBUTE})
_ELEMENT_SIZE = 40
_LONG_TEXTS = frozenset({"body", "content", "html", "markdown", "transcript", "text", "document", "payload"})
_MONEY = frozenset({"amount", "price", "balance", "fee", "money", "salary", "subtotal", "tax"})
_SECRETS = frozenset({"password", "passwd", "secret", "apikey", "privatekey"})


@lint_check(
    "TAB301",
    "A list may grow without limit",
    "warning",
    why="An item has at most 400 KB and every write pays for all of it. A list that only grows makes each write "
    "more expensive, until one day the next element is refused.",
    fix="Give the field `attr(longest=...)`, or make its elements items of their own in the same partition.",
)
def unbounded_list(design: Design) -> Iterator[LintIssue]:
    for entity, field in design.fields():
        if _grows(field) and field.options.longest is None and field.options.blob_over is None:
            yield issue_at(entity, field.name, f"{field.name!r} has no limit.", "attr(longest=100)")


def _grows(field: FieldSchema) -> bool:
    return field.kind.shape in ("list", "set") or field.kind.name.startswith("dict[")


@lint_check(
    "TAB302",
    "An item may exceed 400 KB",
    "error",
    why="The declared limits of the fields add up to more than an item can hold, so a valid entity may be refused "
    "when it is written.",
    fix="Lower the limits, or let the largest field move out with `blob(over=...)`.",
)
def oversized_item(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        limits = {field.name: _max_bytes(field) for field in entity.fields.values()}
        total = sum(limits.values())
        if total > LARGEST_ITEM:
            largest = max(limits, key=lambda name: limits[name])
            yield LintIssue(
                entity.name,
                f"Its fields may take {total:,} bytes, and an item holds {LARGEST_ITEM:,}.",
                f"{largest}: blob(over=64_000)",
            )


def _max_bytes(field: FieldSchema) -> int:
    if field.options.blob_over is not None or field.options.longest is None:
        return 0
    return field.options.longest * (_ELEMENT_SIZE if field.kind.shape in ("list", "set") else 1)


@lint_check(
    "TAB303",
    "A long text is kept inside the item",
    "advice",
    why="A text of unknown length makes every read and write of its item more expensive, even if the reader only "
    "wants the title, and may reach the limit of 400 KB.",
    fix="Let it move to the object store with `blob(over=...)`, or declare how long it may be.",
)
def long_text(design: Design) -> Iterator[LintIssue]:
    for entity, field in design.fields():
        options = field.options
        plain = field.kind.shape == "text" and options.longest is None and options.blob_over is None
        if plain and split_words(field.name)[-1:] and split_words(field.name)[-1] in _LONG_TEXTS:
            yield issue_at(entity, field.name, f"{field.name!r} may be long.", "blob(over=64_000)")


@lint_check(
    "TAB304",
    "Two writers can undo each other's change",
    "advice",
    why="The entity is changed after it is written, and nothing notices that it was changed in between. The later "
    "of two writers then silently restores what the earlier one replaced.",
    fix="Add `version: Attr[int] = version()`, or change single fields with `patch` under a condition.",
)
def no_version(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        changed = any(field.role == "auto_now" for field in entity.fields.values())
        if changed and entity.version is None:
            yield LintIssue(entity.name, "It is updated and has no version.", "version: Attr[int] = version()")


@lint_check(
    "TAB305",
    "Old items can't be read",
    "error",
    why="The entity is at a later schema version, and no function upcasts items of an earlier one. "
    "Reading them fails, or misinterprets them.",
    fix="Register `@upcast(Entity, from_version=n)` for every earlier version.",
)
def missing_upcaster(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        for version in range(1, entity.schema_version):
            if version not in entity.upcasters:
                yield LintIssue(
                    entity.name,
                    f"Items of version {version} can't become version {version + 1}.",
                    f"@upcast({entity.name}, from_version={version})",
                )


@lint_check(
    "TAB306",
    "Money is kept as a float",
    "warning",
    why="A float can't hold most decimal fractions. Sums drift by a cent, and two amounts that are shown alike are "
    "not equal.",
    fix="Use `Decimal`, or an `int` of the smallest unit.",
)
def float_money(design: Design) -> Iterator[LintIssue]:
    for entity, field in design.fields():
        if field.kind.name == "float" and _MONEY & set(split_words(field.name)):
            yield issue_at(entity, field.name, f"{field.name!r} is a float.", f"{field.name}: Attr[Decimal]")


@lint_check(
    "TAB307",
    "A secret is stored as plain text",
    "warning",
    why="Whoever may read the table, its backups, its streams or its logs may read the field.",
    fix="Store a hash, or a reference to a secret store; name the field after what it holds.",
)
def plain_secret(design: Design) -> Iterator[LintIssue]:
    for entity, field in design.fields():
        name = "".join(split_words(field.name))
        hashed = set(split_words(field.name)) & {"hash", "hashed", "digest"}
        if field.kind.shape == "text" and not hashed and any(secret in name for secret in _SECRETS):
            yield issue_at(entity, field.name, f"{field.name!r} looks like a secret.", f"{field.name}_hash")


@lint_check(
    "TAB308",
    "An entity is in an index by accident",
    "warning",
    why="The field is stored under the name of an index's key, but the entity declares no keys there. Its items "
    "enter the index all the same, under whatever the field holds.",
    fix="Store the field under another name, or declare the index on the entity.",
)
def accidental_member(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        declared = {path.index for path in entity.indexes}
        for index in entity.table.indexes:
            field = entity.attributes.get(index.pk)
            if field is not None and index.name not in declared and not index.local:
                yield issue_at(
                    entity,
                    field.name,
                    f"It is stored as {field.attribute!r}, which is the key of {index.name}.",
                    f'attr(name="{field.name}_value")',
                )


@lint_check(
    "TAB309",
    "A field uses a reserved name",
    "error",
    why="tablature marks items with a few attributes of its own. A field under one of these names is overwritten, or "
    "hides the item from readers.",
    fix="Store the field under another name with `attr(name=...)`.",
)
def reserved_attribute(design: Design) -> Iterator[LintIssue]:
    for entity, field in design.fields():
        if field.attribute in _RESERVED_ATTRIBUTES:
            yield issue_at(entity, field.name, f"{field.attribute!r} is reserved by tablature.", 'attr(name="...")')


CHECKS = (
    unbounded_list,
    oversized_item,
    long_text,
    no_version,
    missing_upcaster,
    float_money,
    plain_secret,
    accidental_member,
    reserved_attribute,
)

"""The entities of a table as a Mermaid diagram: what shares a partition, and what is copied where."""

import re

from tablature.schema.model import EntitySchema, Table


def diagram(table: Table) -> str:
    """An entity-relationship diagram, without its code fence."""
    entities = list(table.entities.values())
    lines = ["erDiagram", *(line for entity in entities for line in _box(entity))]
    return "\n".join([*lines, *_neighbours(entities), *(line for entity in entities for line in _copies(entity))])


def _box(entity: EntitySchema) -> list[str]:
    lines = [f"    {entity.name} {{"]
    for field in entity.fields.values():
        mark = " PK" if field.name in entity.primary.sources else ""
        lines.append(f"        {field.kind.shape} {_word(field.name)}{mark}")
    return [*lines, "    }"]


def _neighbours(entities: list[EntitySchema]) -> list[str]:
    """A line from the first entity of each partition to every other one in it."""
    first: dict[str, EntitySchema] = {}
    lines = []
    for entity in sorted(entities, key=_is_list):
        home = entity.primary.partition.template.source
        root = first.setdefault(home, entity)
        if root is not entity:
            many = "o{" if _is_list(entity) else "o|"
            lines.append(f'    {root.name} ||--{many} {entity.name} : "{home}"')
    return lines


def _is_list(entity: EntitySchema) -> bool:
    """Whether one partition may hold several of these."""
    return entity.primary.sort is not None and not entity.primary.sort.template.is_constant


def _copies(entity: EntitySchema) -> list[str]:
    return [
        f'    {entity.name} ||--o{{ {entity.name}_{_word(fanout.name)} : "copy per {fanout.each}"'
        for fanout in entity.fanouts
    ]


def _word(name: str) -> str:
    return re.sub(r"\W", "_", name)

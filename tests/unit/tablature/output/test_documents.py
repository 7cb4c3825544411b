"""The Markdown document of a design, compared with one that a person has looked at."""

from tablature import Attr, Entity, Table, primary
from tablature.design import Design
from tablature.output.documents import document, markdown_table


def test_the_document_tells_tables_keys_patterns_costs_and_samples(shop, snapshot):
    snapshot("shop.md", document(shop))


def test_a_table_without_entities_is_only_its_keys():
    text = document(Design((Table("empty", pk="id", pk_type="N"),)), "Nothing yet")
    assert text.startswith("# Nothing yet\n\n## Table `empty`")
    assert "| the table | `id` (N) |  | ALL |  |" in text
    assert "mermaid" not in text


def test_a_bar_in_a_cell_does_not_end_it():
    assert markdown_table(("a",), [["x|y"]]) == "| a |\n| --- |\n| x\\|y |"


def test_a_table_without_patterns_says_so():
    table = Table("plain", pk="PK")

    class Thing(Entity, table=table):
        id: Attr[str]
        key = primary("THING#{id}")

    assert "None: items are read by key only." in document(Design((table,)))

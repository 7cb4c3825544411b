"""Every field has one meaning: facets of all desks are in one list, and the list has nothing that no desk uses."""

import sys
from pathlib import Path

import pytest

from almanac.search.fields import ALIASES, BASE_FIELDS, DATE_FIELDS, FACET_FIELDS
from almanac.search.query_parser import InvalidQuery, parse_query

sys.path.insert(0, str(Path(__file__).parents[3] / "docs"))
from generate import document_kinds

LABELS = {name: {kind.facets[name] for kind in document_kinds() if name in kind.facets} for name in FACET_FIELDS}


def test_every_facet_of_every_kind_is_a_field_with_a_meaning():
    facets = {name for kind in document_kinds() for name in kind.facets}
    assert facets == set(FACET_FIELDS)


@pytest.mark.parametrize("name", FACET_FIELDS)
def test_a_field_has_the_same_label_at_every_desk(name):
    assert len(LABELS[name]) == 1


def test_other_names_lead_to_fields_and_hide_none():
    fields = {**BASE_FIELDS, **DATE_FIELDS, **FACET_FIELDS}
    assert set(ALIASES.values()) <= set(fields)
    assert not set(ALIASES) & set(fields)


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_an_alias_is_the_field(alias, name):
    value = "2026-01" if name in DATE_FIELDS else "x"
    assert parse_query(f"{alias}:{value}", FACET_FIELDS) == parse_query(f"{name}:{value}", FACET_FIELDS)


def test_an_unknown_field_is_answered_by_those_that_exist():
    with pytest.raises(InvalidQuery, match="bill, category, country"):
        parse_query("colour:red", FACET_FIELDS)


def test_until_includes_its_day():
    whole, until = parse_query("date:..2026-03-15").root, parse_query("until:2026-03-15").root
    assert (until.since, until.until) == (whole.since, whole.until)

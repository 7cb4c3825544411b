"""What a model calls s1.4 becomes a real id and sentence 3; whatever it makes up fails validation."""

import pytest
from hypothesis import given as each
from hypothesis import strategies as some
from pydantic import BaseModel, ValidationError

from almanac.llm.sources import Cited, Reference, SourceAliases, SourceId, build_output_schema

TWO = SourceAliases(("article-77", "speech-9"), (3, 1))


class Item(BaseModel):
    about: SourceId
    sentences: list[Cited]


@pytest.mark.parametrize("alias", ["s1.3", "S1.3", " [s1.3] ", {"source": "s1", "sentence": 3}])
def test_a_stand_in_becomes_the_id_and_the_sentence_from_zero(alias: object) -> None:
    assert Reference.model_validate(alias, context=TWO) == Reference(source="article-77", sentence=2)


def test_a_source_alone_may_be_named() -> None:
    assert Reference.model_validate("s2", context=TWO) == Reference(source="speech-9")


@pytest.mark.parametrize("alias", ["s3", "s1.4", "s2.2", "s0", "s1.0", "article-77", "", "s1.1.1", 7, None, {}])
def test_what_is_made_up_fails(alias: object) -> None:
    with pytest.raises(ValidationError):
        Reference.model_validate(alias, context=TWO)


def test_a_field_for_a_source_is_mapped_too() -> None:
    item = Item.model_validate_json(
        '{"about": "s2", "sentences": [{"text": "x", "references": ["s1.1"]}]}', context=TWO
    )

    assert item.about == "speech-9"
    assert item.sentences[0].references[0].source == "article-77"


def test_without_stand_ins_ids_stay_as_they_are() -> None:
    stored = Item(about="a", sentences=[Cited(text="x", references=(Reference(source="a", sentence=0),))])

    assert Item.model_validate_json(stored.model_dump_json()) == stored


def test_models_are_shown_a_reference_as_a_string_and_programs_as_an_object() -> None:
    assert build_output_schema(Item)["$defs"]["Reference"]["type"] == "string"
    assert Item.model_json_schema()["$defs"]["Reference"]["type"] == "object"


@each(some.lists(some.integers(1, 9), min_size=1, max_size=9), some.data())
def test_what_is_shown_is_understood_again(sizes: list[int], data: some.DataObject) -> None:
    table = SourceAliases(tuple(f"id-{n}" for n in range(len(sizes))), tuple(sizes))
    source = data.draw(some.integers(0, len(sizes) - 1))
    sentence = data.draw(some.none() | some.integers(0, sizes[source] - 1))

    assert table.resolve(table.alias_for(f"id-{source}", sentence)) == (f"id-{source}", sentence)

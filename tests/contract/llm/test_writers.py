"""What every writer promises: the step's own type with references to real ids, its provenance, or a typed failure."""

import asyncio
from dataclasses import fields

import pytest

from almanac.errors import AlmanacError
from almanac.llm.errors import ModelFailure, ModelNeeded, ModelRefused
from almanac.llm.port import WrittenStep
from almanac.llm.sources import Reference


async def test_the_output_is_of_the_steps_type_and_refers_to_the_sources_given(bench, point, given) -> None:
    bench.expect()

    written = await bench.writer.write(point, given, desk="news")

    assert isinstance(written.output, point.output)
    assert written.output.sentences[0].references == (Reference(source="article-77", sentence=0),)


async def test_the_provenance_says_who_wrote_it_when_and_by_which_prompt(bench, point, given, clock) -> None:
    bench.expect()

    provenance = (await bench.writer.write(point, given, desk="news", subject="link 7")).provenance

    assert (provenance.model, provenance.step, provenance.prompt_version) == (bench.model, "point", "1.0")
    assert provenance.made_at == clock.now()
    assert not provenance.cached


async def test_many_at_once_all_get_theirs(bench, point, given) -> None:
    for _ in range(5):
        bench.expect()

    written = await asyncio.gather(*(bench.writer.write(point, given, desk="news") for _ in range(5)))

    assert len({step.output.model_dump_json() for step in written}) == 1


@pytest.mark.parametrize("bench", ["model", "scripted"], indirect=True)
async def test_a_failure_is_raised_and_nothing_is_written(bench, point, given) -> None:
    bench.fail()

    with pytest.raises(ModelRefused):
        await bench.writer.write(point, given, desk="news")


@pytest.mark.parametrize("bench", ["extractive", "scripted"], indirect=True)
async def test_a_step_that_needs_a_model_says_so_where_there_is_none(bench, translation, given) -> None:
    with pytest.raises(ModelNeeded, match="needs a model"):
        await bench.writer.write(translation, given, desk="news")


def test_what_is_written_has_what_was_dropped_and_why_but_no_room_for_an_error() -> None:
    assert [field.name for field in fields(WrittenStep)] == ["output", "provenance", "dropped", "fallback"]


def test_a_failure_is_an_error_with_a_sentence_of_ours() -> None:
    kinds = ModelFailure.__subclasses__()

    assert len(kinds) == 10
    assert all(issubclass(kind, AlmanacError) for kind in kinds)
    assert len({kind.code for kind in kinds}) == len({kind.outcome for kind in kinds}) == len(kinds)

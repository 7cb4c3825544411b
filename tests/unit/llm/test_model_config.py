"""The settings say who writes each step; what can't work is refused at the start with what to change."""

from decimal import Decimal

import pytest

from almanac.config import Settings, load_settings
from almanac.errors import SettingError
from almanac.llm.assembly import ModelOverview
from almanac.llm.model_config import ModelConfig, read_model_config
from almanac.llm.steps import STANDARD_STEPS

KEY = {"OPENAI_API_KEY": "sk-test"}


def choices(environ: dict[str, str] | None = None, **settings: object) -> ModelConfig:
    return read_model_config(Settings(**settings), environ or {}, [step.name for step in STANDARD_STEPS])


def test_without_a_model_everything_is_extracted() -> None:
    assert choices().for_step("summary") is None


def test_one_model_writes_every_step() -> None:
    chosen = choices(llm_model="anthropic:claude-x", llm_api_key="sk-ant").for_step("summary")

    assert str(chosen) == "anthropic:claude-x"
    assert chosen.api_key == "sk-ant"


def test_a_step_may_have_a_model_of_its_own_or_none() -> None:
    chosen = choices(KEY, llm_model="openai:big", llm_steps="headline=openai:small, keywords=extractive")

    assert [str(chosen.for_step(step)) for step in ("summary", "headline", "keywords")] == [
        "openai:big",
        "openai:small",
        "None",
    ]


def test_a_server_of_ones_own_needs_neither_a_provider_nor_a_key() -> None:
    chosen = choices(llm_model="llama3:8b", llm_base_url="http://127.0.0.1:9/v1").for_step("summary")

    assert (chosen.provider, chosen.name, chosen.base_url) == ("openai", "llama3:8b", "http://127.0.0.1:9/v1")


def test_the_key_and_the_address_go_to_the_provider_of_the_default_model_only() -> None:
    chosen = choices(
        {"ANTHROPIC_API_KEY": "theirs"},
        llm_model="tiny",
        llm_base_url="http://127.0.0.1:9/v1",
        llm_api_key="ours",
        llm_steps="headline=anthropic:claude-x",
    ).for_step("headline")

    assert (chosen.api_key, chosen.base_url) == (None, None)


def test_a_key_is_never_shown() -> None:
    assert "sk-secret" not in repr(choices(llm_model="openai:x", llm_api_key="sk-secret"))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"llm_model": "gpt-5"}, "must name its provider"),
        ({"llm_model": "openai:"}, "must name its provider"),
        ({"llm_model": "openai:gpt-5"}, "set ALMANAC_LLM_API_KEY or OPENAI_API_KEY"),
        ({"llm_steps": "headline=google:gemini"}, "ALMANAC_LLM_STEPS names a model of google"),
        ({"llm_api_key": "sk-test"}, "also needs ALMANAC_LLM_MODEL"),
        ({"llm_steps": "headline"}, "must be a list like name=value"),
        ({"llm_steps": "sumary=extractive"}, "names the step sumary, which doesn't exist; the steps are bullets, "),
        ({"llm_prices": "tiny=cheap"}, "dollars per million tokens"),
        ({"llm_prices": "tiny=1"}, "dollars per million tokens"),
        ({"llm_prices": "tiny=-1/2"}, "prices of 0 or more"),
        ({"llm_embedding_model": "google:text", "llm_api_key": "x"}, "must be one of openai"),
    ],
)
def test_what_cannot_work_is_refused_with_what_to_change(settings: dict[str, str], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        choices(**settings)


def test_prices_are_for_a_million_tokens() -> None:
    chosen = choices(KEY, llm_model="openai:tiny", llm_prices="tiny=0.25/2, openai:other=1/1")

    assert chosen.price_of(chosen.default).cost(2_000_000, 500_000) == Decimal("1.5")


def test_people_are_told_who_writes_what() -> None:
    chosen = choices(KEY, llm_model="openai:big", llm_steps="keywords=extractive", llm_embedding_model="openai:vec")

    lines = [(line.what, line.model) for line in ModelOverview(chosen, budget=None).assignments()]

    assert lines == [
        ("every step", "openai:big"),
        ("keywords", "extractive"),
        ("vectors for search", "openai:vec"),
    ]


@pytest.mark.parametrize("amount", ["much", "NaN", "-1"])
def test_a_cap_is_an_amount_of_money(amount: str, tmp_path) -> None:
    with pytest.raises(SettingError, match="ALMANAC_LLM_MONTHLY_CAP must be"):
        load_settings({"ALMANAC_LLM_MONTHLY_CAP": amount}, tmp_path)


def test_a_cap_may_have_cents(tmp_path) -> None:
    assert load_settings({"ALMANAC_LLM_MONTHLY_CAP": "7.50"}, tmp_path).llm_monthly_cap == Decimal("7.50")


def test_the_judge_needs_a_model():
    with pytest.raises(SettingError, match="ALMANAC_LLM_JUDGE also needs ALMANAC_LLM_MODEL"):
        choices(llm_judge="news")


def test_the_judge_is_on_for_the_desks_named():
    chosen = choices(llm_model="tiny", llm_base_url="http://127.0.0.1:1/v1", llm_judge=" news, recap ,")
    assert chosen.judged_desks == {"news", "recap"}
    assert choices().judged_desks == frozenset()


def test_a_desk_without_a_judge_is_refused(tmp_path):
    with pytest.raises(SettingError, match="must be a list of news, newsletter, recap"):
        load_settings({"ALMANAC_LLM_JUDGE": "habits"}, tmp_path)


def test_the_overview_says_who_judges_what():
    chosen = choices(llm_model="tiny", llm_base_url="http://127.0.0.1:1/v1", llm_judge="recap,news")
    (line,) = [line for line in ModelOverview(chosen, budget=None).assignments() if "judge" in line.what]
    assert (line.what, line.model) == ("second judge of news, recap", "openai:tiny")

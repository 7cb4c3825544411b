"""`almanac models` says who writes what and what a month took; a wrong setting is one sentence and exit code 2."""


def test_models_says_who_writes_and_what_it_took(installed_machine):
    answer = installed_machine.run("models")
    assert answer.code == 0, answer.err
    assert "extractive" in answer.out
    assert "No usage this month." in answer.out


def test_models_as_json_is_for_programs(installed_machine):
    usage = installed_machine.run(
        "models",
        "--json",
        ALMANAC_LLM_MODEL="tiny",
        ALMANAC_LLM_BASE_URL="http://127.0.0.1:1/v1",
        ALMANAC_LLM_STEPS="headline=extractive",
        ALMANAC_LLM_MONTHLY_CAP="7.50",
    ).json
    assert usage["assignments"] == [
        {"what": "every step", "model": "openai:tiny"},
        {"what": "headline", "model": "extractive"},
    ]
    assert (usage["cap"], usage["paused_until"], usage["steps"]) == ("7.50", None, [])


def test_a_month_that_is_none_is_refused(installed_machine):
    answer = installed_machine.run("models", "--month", "soon")
    assert answer.code != 0
    assert "use 2026-03" in answer.err


def test_a_step_that_is_misspelt_is_refused_with_the_names_of_all(installed_machine):
    answer = installed_machine.run("models", ALMANAC_LLM_STEPS="recap_pak=extractive")
    assert answer.code == 2
    assert "recap_pak, which doesn't exist" in answer.err
    assert all(name in answer.err for name in ("summary", "news_story", "recap_pack", "letter"))


def test_a_model_without_its_key_is_refused_before_anything_starts(installed_machine):
    answer = installed_machine.run("models", ALMANAC_LLM_MODEL="openai:gpt-5-mini", OPENAI_API_KEY="")
    assert answer.code == 2
    assert "ALMANAC_LLM_API_KEY" in answer.err
    assert "Traceback" not in answer.err

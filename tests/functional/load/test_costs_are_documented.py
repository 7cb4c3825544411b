"""The page of costs says what actions cost now, so that a change that costs more is seen in review."""


async def test_every_action_costs_what_the_page_says(capacity, database_url, tmp_path):
    now = await capacity.page(tmp_path / "data", database_url)
    assert now.splitlines() == capacity.PAGE.read_text("utf-8").splitlines(), (
        "What actions cost has changed; if that is meant, run `python tests/load/capacity.py --write`."
    )


def test_a_cost_that_changed_is_told_with_both_figures(capacity, monkeypatch, tmp_path, capsys):
    page = tmp_path / "capacity.md"
    page.write_text("| home page | 2 |\n")
    monkeypatch.setattr(capacity, "PAGE", page)
    assert capacity.told_difference("| home page | 2 |\n") == 0
    assert capacity.told_difference("| home page | 7 |\n") == 1
    text = capsys.readouterr().err
    assert "| home page | 7 |" in text
    assert "| home page | 2 |" in text

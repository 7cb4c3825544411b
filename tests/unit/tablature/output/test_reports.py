"""The linter's report and an explained pattern, as people read them."""

from tablature.cli.main import main
from tablature.lint.report import report_text
from tablature.lint.run import lint


def test_the_report_is_as_it_was_looked_at(shop, snapshot):
    snapshot("shop.lint.txt", report_text(lint(shop)) + "\n")


def test_an_explanation_is_as_it_was_looked_at(shop_file, snapshot, capsys):
    assert main(["explain", shop_file, "at_level", "level=loyal"]) == 0
    snapshot("shop.explain.json", capsys.readouterr().out)

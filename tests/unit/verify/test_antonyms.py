"""A word put for its antonym is found in the clause it belongs to; a deed told from its other end is the same deed."""

import pytest

from almanac.verify import Verdict

TRADE = "Output was not affected, and exports rose despite lower prices."
SALE = "Alda Corp sold the Leeds plant to Borun Ltd for £40 million in May."
SHEN = "公司去年营业收入由3.5亿元增至4.2亿元，净利润则降至1800万元。"
VOTE = "地域交通に関する法律案に反対の立場から討論を行います。\n賛成　二百十四\n反対　二十五\nよって、可決されました。"
VISITORS = "参加者は減らず、売り上げは3割増えた。"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Exports fell despite lower prices.", TRADE),
        ("Exports rose despite higher prices.", TRADE),
        ("The firm plans to open a yard in Gdansk.", "The firm plans to close a yard in Gdansk."),
        ("The bank raised its rate to 4 percent.", "The bank kept its rate unchanged at 4 percent."),
        ("Hume bought 300 shares.", "Hume sold 300 shares, and Dartford kept 80."),
        ("Two bridges were opened.", "Two bridges were closed and the A27 was reopened only to lorries."),
        ("公司净利润增至1800万元。", SHEN),
        ("売り上げは3割減った。", VISITORS),
        ("利用者は12%減の1,500人だった。", "利用者は12%増の1,500人だった。"),
        ("Jualan merosot 30 peratus.", "Bilangan pengunjung tidak berkurang dan jualan meningkat 30 peratus."),
    ],
)
def test_an_antonym_is_found_in_its_own_clause(verdict_of, text, source):
    assert verdict_of(text, source).verdict is Verdict.CHANGED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Borun Ltd bought the Leeds plant from Alda Corp for £40 million.", SALE),
        ("Borun bought the plant in May.", SALE),
        ("Exports rose although prices were lower.", TRADE),
        ("Prices rose in June.", "Prices fell in May but rose in June."),
        ("Wages rose more slowly than rents.", "Rents rose faster than wages last year."),
        ("净利润降至1800万元。", SHEN),
        ("参加者は減っていない。", VISITORS),
        ("地域交通に関する法律案は、賛成214、反対25で可決されました。", VOTE),
    ],
)
def test_the_same_told_otherwise_is_no_opposite(verdict_of, text, source):
    assert verdict_of(text, source).verdict in {Verdict.SUPPORTED, Verdict.UNCONFIRMED}

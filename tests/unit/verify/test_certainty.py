"""What the source calls possible or planned isn't told as certain or as done; before isn't told as after."""

import pytest

from almanac.verify import Verdict

MARKET = (
    "The council plans to demolish the old market next year. Mayor Ann Lowe said stallholders may move to Mill Lane."
    " The council will vote on 4 June. Prices are expected to fall below 2% by March."
)
SHIBA = (
    "市は来年度、古い市場を取り壊す計画だ。森下市長は、出店者が港町に移る可能性があると述べた。投票は6月4日に行われる。"
)
SHICHANG = "市政府计划明年拆除旧市场。市长林浩说，摊贩可能搬到港口路。表决将于6月4日举行。"
PASAR = (
    "Majlis bandaran merancang untuk merobohkan pasar lama tahun depan. Datuk Bandar Lim Hock berkata penjaja mungkin"
    " berpindah ke Jalan Pelabuhan. Undian akan diadakan pada 4 Jun."
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The council demolished the old market.", MARKET),
        ("The council has demolished the old market.", MARKET),
        ("The council voted on 4 June.", MARKET),
        ("Stallholders will move to Mill Lane, Lowe said.", MARKET),
        ("Stallholders moved to Mill Lane.", MARKET),
        ("Prices fell below 2%.", MARKET),
        ("市は古い市場を取り壊した。", SHIBA),
        ("出店者は港町に移ったと森下市長は述べた。", SHIBA),
        ("出店者は港町に移ると森下市長は述べた。", SHIBA),
        ("市政府已拆除旧市场。", SHICHANG),
        ("市政府拆除了旧市场。", SHICHANG),
        ("摊贩将搬到港口路，林浩说。", SHICHANG),
        ("表决已于6月4日举行。", SHICHANG),
        ("Majlis bandaran telah merobohkan pasar lama.", PASAR),
        ("Penjaja akan berpindah ke Jalan Pelabuhan.", PASAR),
        ("Undian telah diadakan pada 4 Jun.", PASAR),
        (
            "Members approved a fee of 45 cents.",
            "The board proposes a fee of 45 cents, subject to approval by members.",
        ),
        ("Ahli meluluskan yuran 45 sen.", "Lembaga mencadangkan yuran 45 sen, tertakluk kepada kelulusan ahli."),
        ("股东大会批准每股派息4元。", "董事会提议每股派息4元，待股东大会批准。"),
    ],
)
def test_what_may_be_or_is_planned_is_not_settled(verdict_of, text, source):
    checked = verdict_of(text, source)
    assert checked.verdict is Verdict.CHANGED
    assert "states it as certain" in checked.findings[0].reason


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The council wants to demolish the old market.", MARKET),
        ("The old market is to be demolished next year.", MARKET),
        ("Demolition of the old market is planned.", MARKET),
        ("The council will demolish the old market next year.", MARKET),
        ("Stallholders could be moved to Mill Lane, Lowe said.", MARKET),
        ("The council votes on June 4.", MARKET),
        ("A vote was scheduled for 4 June.", MARKET),
        ("市は来年度に古い市場を取り壊す方針だ。", SHIBA),
        ("出店者は港町に移るかもしれないと森下市長は述べた。", SHIBA),
        ("市政府拟明年拆除旧市场。", SHICHANG),
        ("摊贩或搬到港口路，林浩说。", SHICHANG),
        ("表决于6月4日举行。", SHICHANG),
        ("Majlis bandaran mahu merobohkan pasar lama.", PASAR),
        ("Penjaja boleh berpindah ke Jalan Pelabuhan.", PASAR),
        ("Undian diadakan pada 4 Jun.", PASAR),
        ("The ship left at noon.", "The ship left at noon. Another will leave at six."),
    ],
)
def test_another_word_for_the_same_openness_is_fine(verdict_of, text, source):
    assert verdict_of(text, source).verdict in {Verdict.SUPPORTED, Verdict.UNCONFIRMED}


SHOW = (
    "Entries must arrive no later than 15 May; late ones will be refused. The exhibition runs from 2 April until 30"
    " June. Since 2019 the museum has charged 12 euros; before that, entry was free."
)
FERRY = "Shares of Corran Ferries gained 4 percent before the strike and lost 9 percent after it."


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Entries must arrive no earlier than 15 May.", SHOW),
        ("The exhibition runs until 2 April.", SHOW),
        ("The museum charged 12 euros before 2019.", SHOW),
        ("Shares of Corran Ferries gained 4 percent after the strike.", FERRY),
        ("The ship left before a pilot arrived.", "The ship left at noon, after a pilot arrived."),
        ("展示は4月2日まで開かれる。", "展示は4月2日から6月30日まで開かれる。"),
        ("请不早于9月15日付款。", "请不迟于9月15日付款。"),
        ("Sila bayar selepas 15 September.", "Sila bayar sebelum 15 September."),
    ],
)
def test_before_is_not_after(verdict_of, text, source):
    assert verdict_of(text, source).verdict is Verdict.CHANGED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Entries must arrive by 15 May.", SHOW),
        ("Entries after 15 May will be refused.", SHOW),
        ("Entry was free before 2019.", SHOW),
        ("The exhibition opens on 2 April and ends on 30 June.", SHOW),
        ("After the strike, shares of Corran Ferries fell 9 percent.", FERRY),
        ("2019年より前は無料だった。", "2019年以降は入場料12ユーロで、それ以前は無料だった。"),
    ],
)
def test_the_other_side_of_a_day_may_be_told_of_something_else(verdict_of, text, source):
    assert verdict_of(text, source).verdict in {Verdict.SUPPORTED, Verdict.UNCONFIRMED}

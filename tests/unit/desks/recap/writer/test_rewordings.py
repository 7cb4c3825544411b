"""A rewording has all content words of a sentence to its end; anything else must be verified."""

import pytest

from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.writer.rewordings import rewords

SPEECH = Speech(
    order=1,
    speaker="穂高登",
    text=(
        "○穂高登君　しかしながら、海岸林の面積は三百ヘクタール減っておりません。港湾の使用料は増えるのでしょうか。"
        "海岸林の保全は全会一致で承認することに決しました。"
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "海岸林の面積は三百ヘクタール減っていません。",
        "港湾の使用料は増えるのでしょうか。",
        "海岸林の面積は三百ヘクタール減っていません。海岸林の保全は全会一致で承認することに決しました。",
    ],
)
def test_other_endings_and_a_shorter_beginning_reword(text):
    assert rewords(text, SPEECH)


@pytest.mark.parametrize(
    "text",
    [
        "海岸林の面積は三百ヘクタール減っています。",
        "海岸林の面積は四百ヘクタール減っていません。",
        "海岸林の面積は300ヘクタール減っていません。",
        "港湾の使用料は増えます。",
        "海岸林の保全は全会一致で承認することに決まりました。",
        "海岸林の保全は承認することに決しました。",
        "海岸林の面積は三百ヘクタール",
        "",
    ],
)
def test_another_content_does_not(text):
    assert not rewords(text, SPEECH)

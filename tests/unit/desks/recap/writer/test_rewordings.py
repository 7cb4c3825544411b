"""A rewording has all content words of a sentence to its end; anything else must be verified."""

import msgspec
import pytest

from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.writer.rewordings import rewords

SPEECH = Speech(
    order=1,
    speaker="穂高登",
    text=(
        "○穂高登君　しかしながら、海岸林の面積は三百ヘクタール減っておりません。港湾の使用料は増えるのでしょうか。"
        "海岸林の保全は全会一致で承認することに決しました。予算は三十・二億円から一兆三千六百万円に増えました。"
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "海岸林の面積は三百ヘクタール減っていません。",
        "港湾の使用料は増えるのでしょうか。",
        "海岸林の面積は300ヘクタール減っていません。",
        "予算は30.2億円から1兆3600万円に増えました。",
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
        "海岸林の面積は3ヘクタール減っていません。",
        "海岸林の面積は00ヘクタール減っていません。",
        "予算は30.2億円から1兆3600億円に増えました。",
        "予算は30.3億円から1兆3600万円に増えました。",
        "予算は30.2億円から3600万円に増えました。",
        "3600万円に増えました。",
        "予算は2億円から1兆3600万円に増えました。",
        "港湾の使用料は増えます。",
        "海岸林の保全は全会一致で承認することに決まりました。",
        "海岸林の保全は承認することに決しました。",
        "海岸林の面積は三百ヘクタール",
        "",
    ],
)
def test_another_content_does_not(text):
    assert not rewords(text, SPEECH)


def test_a_number_of_any_length_is_read():
    digits = "九" * 9000
    assert rewords(
        f"番号は{digits}番です。", msgspec.structs.replace(SPEECH, text=f"○穂高登君　番号は{digits}番でございます。")
    )
    assert not rewords(
        f"番号は{digits}九番です。", msgspec.structs.replace(SPEECH, text=f"○穂高登君　番号は{digits}番でございます。")
    )

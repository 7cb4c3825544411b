"""Whatever way a name is typed, it leads to the same forms."""

import pytest

from almanac.desks.recap.model.person_names import fold_name, list_name_forms, parse_name, to_roman

NAMES = {
    "斎藤鉄平": "さいとうてっぺい",
    "髙崎邉子": "たかさきべこ",
    "大久保純": "おおくぼじゅん",
    "本田信一郎": "ほんだしんいちろう",
    "太田ちづる": "おおたちづる",
}


def finds(typed, name):
    forms = list_name_forms(name, NAMES[name])
    whole, parts = parse_name(typed)
    return any(form.startswith(whole) for form in forms) or (
        bool(parts) and all(any(form.startswith(part) for form in forms) for part in parts)
    )


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("斎藤鉄平", "斎藤鉄平"),
        ("斎藤　鉄平", "斎藤鉄平"),
        ("齋藤鉄平", "斎藤鉄平"),
        ("齊藤", "斎藤鉄平"),
        ("斉藤鐵平君", "斎藤鉄平"),
        ("鉄平", "斎藤鉄平"),
        ("鉄平さん", "斎藤鉄平"),
        ("さいとう", "斎藤鉄平"),
        ("サイトウ テッペイ", "斎藤鉄平"),
        ("ｻｲﾄｳ", "斎藤鉄平"),
        ("てっぺい", "斎藤鉄平"),
        ("Saito Teppei", "斎藤鉄平"),
        ("Teppei Saitō", "斎藤鉄平"),
        ("SAITOH", "斎藤鉄平"),
        ("高崎", "髙崎邉子"),
        ("高﨑邊子氏", "髙崎邉子"),
        ("おおくぼ", "大久保純"),
        ("okubo jun", "大久保純"),
        ("Ohkubo", "大久保純"),
        ("zyun", "大久保純"),
        ("純", "大久保純"),
        ("しんいちろう", "本田信一郎"),
        ("Honda Shin'ichiro", "本田信一郎"),
        ("ｵｵﾀﾁﾂﾞﾙ", "太田ちづる"),
        ("ちづる", "太田ちづる"),
        ("チヅル", "太田ちづる"),
    ],
)
def test_somebody_is_found_by_every_way_of_writing_the_name(typed, name):
    assert finds(typed, name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [("斎藤純", "斎藤鉄平"), ("とうてつ", "斎藤鉄平"), ("Kubota", "大久保純"), ("ほんだ けん", "本田信一郎")],
)
def test_others_are_not(typed, name):
    assert not finds(typed, name)


def test_an_honorific_is_no_part_of_a_name_unless_it_is_all_there_is():
    assert parse_name("山田君")[0] == fold_name("山田")
    assert parse_name("君")[0] == "君"


def test_a_reading_with_anything_but_kana_has_no_roman_form():
    assert to_roman("しんじょう") == "shinjo"
    assert to_roman("山だ") == ""

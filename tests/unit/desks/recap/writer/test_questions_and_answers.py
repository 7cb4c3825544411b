"""Exchanges show what was really asked and the substance of the answer, without greetings and forms of address."""

import pytest

from almanac.desks.recap.model.facts.debate import asks_outright, is_formality, is_question

ASKED = "海岸林の面積が減り続けている原因を個別に調べているのか、大臣に伺いたいと思います。"
ANSWERED = "海岸林の面積が減った原因は、令和八年度に三百か所で調べることとしております。"


def asking(text):
    return {"speaker": "穂高登", "group": "山岳の会", "text": f"○穂高委員　{text}"}


def answering(text):
    return {"speaker": "白馬岳男", "position": "国務大臣", "text": f"○白馬国務大臣　{text}"}


def exchange_of(recap):
    (exchange,) = recap.exchanges
    return exchange.question.text, [answer.text for answer in exchange.answers]


@pytest.mark.parametrize(
    "sentence",
    [
        "支援のための基金を設けると伺っております。",
        "密輸が増えていることを現場の皆さんからお聞きをしました。",
        "早速ですが、質問に入らせていただきます。",
        "大臣から前向きな御答弁をいただきました。",
    ],
)
def test_what_one_has_heard_is_no_question(sentence):
    assert not is_question(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "大臣の御所見をお伺いしたいと思います。",
        "検討の内容をお示しいただければと思います。",
        "どのような交渉を行っているのか、御答弁をお願いしたいと思います。",
        "今後の方針をお聞かせいただけますでしょうか。",
    ],
)
def test_a_request_for_an_answer_asks_outright(sentence):
    assert asks_outright(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "穂高議員にお答えをいたします。",
        "本法律案が学生のためになるのかとのお尋ねがありました。",
        "早速質問に入らせていただきたいと思います。",
        "被災された皆様にお見舞いを申し上げます。",
        "白馬政務官にお尋ねをいたします。",
        "穂高委員の質問にお答えしたいと思います。",
    ],
)
def test_forms_of_address_are_formalities(sentence):
    assert is_formality(sentence)


def test_who_gives_party_and_name_only_introduces_themselves():
    assert is_formality("比例北関東選出、山岳の会、穂高登です。", "穂高登")
    assert not is_formality("座長は、委員、穂高登です。", "穂高登")


def test_an_exchange_shows_the_question_and_not_what_leads_to_it(meeting_with, recap_of):
    hearsay = "海岸林は暮らしを守ると伺っております。地元の三十人からもお話をお聞きしました。"
    question, answers = exchange_of(recap_of(meeting_with(asking(hearsay + ASKED), answering(ANSWERED))))
    assert question == "海岸林の面積が減り続けている原因を個別に調べているのか、大臣に伺いたいと思います。"
    assert answers[0].startswith("海岸林の面積が減った原因は")


def test_a_bare_request_comes_with_the_question_before_it(meeting_with, recap_of):
    asked = "海岸林の面積が減り続けているのは予算が足りないからではないか。大臣のお考えをお聞かせください。"
    question, _ = exchange_of(recap_of(meeting_with(asking(asked), answering(ANSWERED))))
    assert question == asked


def test_a_bare_request_alone_gives_way_to_a_real_question(meeting_with, recap_of):
    asked = f"大臣にお尋ねします。海岸林の面積はどれだけ減ったのでしょうか。{'潮風の害は年々広がっております。' * 3}"
    question, _ = exchange_of(recap_of(meeting_with(asking(asked), answering(ANSWERED))))
    assert question == "海岸林の面積はどれだけ減ったのでしょうか。"


def test_an_answer_is_its_substance_and_not_its_address(meeting_with, recap_of):
    answer = f"穂高議員にお答えいたします。海岸林についてのお尋ねがありました。{ANSWERED}御理解をお願いいたします。"
    _, answers = exchange_of(recap_of(meeting_with(asking(ASKED), answering(answer))))
    assert answers == ["海岸林の面積が減った原因は、令和8年度に300か所で調べることとしています。"]

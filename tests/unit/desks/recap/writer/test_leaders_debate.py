"""A debate of party leaders: who said what is always told, and only the prime minister answers."""

import pytest

from almanac.desks.recap.model.cited_levels import build_level
from almanac.desks.recap.model.facts.debate import announces_asking, asks_outright, is_bare_question, is_formality
from almanac.desks.recap.writer.extractive.plain_language import kanji_to_digits

PRIME_MINISTER = "国家基本政策委員会合同審査会"
ASKED = "渡し船の補助金は、島の高校生の通学のために二倍に増やすべきだと考えますが、総理の見解を伺います。"
ASIDE = "御党の中にも渡し船の補助金が必要だと言っている方がおられますね。"
POSITION = "渡し船の補助金は、島の自治体がこれから先も自ら決めるべきものだと考えております。"
DEMAND = (
    "先ほどの御答弁では島の人は納得しません。総理は、渡し船の補助金として毎年三千万円を直ちに出すべきだと思います。"
    "島の高校は来年から一校になります。高校生は毎朝二時間かけて通っています。"
)


def leader(text):
    return {"speaker": "穂高登", "group": "山岳の会", "text": f"○穂高登君　{text}"}


def premier(text):
    return {"speaker": "白馬岳男", "position": "内閣総理大臣", "text": f"○内閣総理大臣（白馬岳男君）　{text}"}


@pytest.fixture(scope="module")
def debate(meeting_with, recap_of):
    return recap_of(meeting_with(leader(ASKED), premier(ASIDE + POSITION), leader(DEMAND), meeting=PRIME_MINISTER))


def test_an_answer_under_the_questioner_says_who_gave_it(debate):
    section = next(part for part in debate.middle_summary if part.title.startswith("質疑：穂高登"))
    answers = [each.text for each in section.sentences if 2 in each.based_on_orders]
    assert answers
    assert all(text.endswith("（白馬岳男内閣総理大臣）。") for text in answers)


def test_the_list_of_exchanges_names_who_asked_and_who_answered(debate):
    (exchange,) = build_level(debate, "detailed").exchanges
    assert exchange.question.speaker == "穂高登"
    assert [answer.speaker for answer in exchange.answers] == ["白馬岳男"]


def test_the_answer_is_the_position_and_not_an_aside(debate):
    (exchange,) = debate.exchanges
    assert [answer.text for answer in exchange.answers] == [POSITION.replace("おります", "います")]


def test_who_asked_does_not_answer(debate):
    assert [dialog.reaction for dialog in debate.dialogs] == ["質問", "答弁", "意見"]
    assert not any(point.kind == "answer" and 3 in point.based_on_orders for point in debate.key_points)


def test_what_mocks_the_other_side_in_half_a_sentence_is_left_out(meeting_with, recap_of):
    mocked = "将来、渡し船の補助金の三割の廃止も含めて検討。もう検討は何度も聞きました。" + ASKED
    recap = recap_of(meeting_with(leader(mocked), premier(POSITION), meeting=PRIME_MINISTER))
    levels = [*recap.key_points, *recap.summary, *recap.soft_language_summary]
    assert not any("廃止も含めて検討" in each.text for each in levels)
    assert not any("廃止も含めて検討" in b for d in recap.dialogs for s in d.summary_sections for b in s.bullets)


def test_the_question_is_what_follows_the_announcement_of_it(meeting_with, recap_of):
    asked = "島の橋は三年遅れています。では、端的に聞きますよ。橋が開通するまで渡し船の運賃を無料にするんですか。"
    (exchange,) = recap_of(meeting_with(leader(asked), premier(POSITION), meeting=PRIME_MINISTER)).exchanges
    assert exchange.question.text == "橋が開通するまで渡し船の運賃を無料にするんですか。"


@pytest.mark.parametrize("text", ["どうでしょうか。", "そこまで急ぐんですか。", "なぜやらないんですか。", "伺います。"])
def test_a_bare_question_makes_no_exchange(text, meeting_with, recap_of):
    assert is_bare_question(text)
    assert not recap_of(meeting_with(leader(text), premier(POSITION), meeting=PRIME_MINISTER)).exchanges


@pytest.mark.parametrize("text", ["消費税を下げますか。", ASKED, "Will the fare fall?"])
def test_a_question_with_its_matter_is_not_bare(text):
    assert not is_bare_question(text)


def test_an_announcement_asks_nothing_and_thanks_for_an_answer_neither():
    assert announces_asking("それでは端的に聞きますよ。")
    assert not announces_asking("運賃は上がるのか、伺います。")
    assert not asks_outright("総理からはっきりとお考えをお聞かせをいただきましたので、注視をさせていただきます。")
    assert asks_outright("一円も使わないということをここで明言してください。")


def test_repeating_the_question_is_no_answer():
    assert is_formality("離島に対してどうなのかということでございます。")
    assert not is_formality("離島と本土とで違う対応をするということはございません。")


def test_hours_are_all_in_digits():
    assert kanji_to_digits("一日七時間、週三十五時間とする。") == "1日7時間、週35時間とする。"

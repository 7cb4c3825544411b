"""People keep one identity, words that matter are found, and terms are explained only in the words of the record."""

from almanac.desks.recap.model.facts.keywords import CATEGORIES
from almanac.desks.recap.model.facts.speakers import list_participants, person_key
from almanac.desks.recap.writer.extractive.analysis import analyze_meeting


def test_a_person_is_one_whatever_the_width_and_gaps_of_the_name():
    assert person_key("穂高　律子", "ほたかりつこ") == person_key("穂高律子", "ほたか りつこ")


def test_people_of_one_name_are_told_apart_by_their_reading():
    assert person_key("大山啓介", "だいせんけいすけ") != person_key("大山啓介", "おおやまけいすけ")


def test_everybody_who_spoke_takes_part_with_group_and_office_of_that_day(sample_of):
    people = {person.name: person for person in list_participants(sample_of("chiiki-kotsu-iinkai"))}
    assert people["九重由香"].group == "市民連帯クラブ"
    assert people["穂高律子"].position == "国土交通大臣"
    assert people["九重由香"].orders == (12, 14, 16, 18, 20)


def test_a_speech_without_a_speaker_makes_nobody(meeting_with):
    assert list_participants(meeting_with({"speaker": "", "text": "発言です。"})) == ()


def test_keywords_are_what_the_debate_was_about(sample_of):
    results = {word.keyword: word.priority for word in analyze_meeting(sample_of("chiiki-kotsu-iinkai")).keywords}
    assert {"地域生活交通", "交付金", "市町村"} <= {word for word, priority in results.items() if priority == "high"}
    assert not {"委員", "質疑", "政府", "九重由香", "市民連帯クラブ"} & set(results)


def test_words_that_say_nothing_about_this_debate_are_no_keywords(meeting_with):
    text = (
        "本制度の意義の詳細は報告書にあります。子供の海岸林体験は、日程第六で取り上げた改正案の使途です。"
        "海岸林体験の意義を新任各閣僚と穂高先生に伺います。海岸林体験の報告書と本制度の使途の詳細を確かめます。"
    )
    words = {word.keyword for word in analyze_meeting(meeting_with(text)).keywords}
    assert not words & {
        "本制度",
        "意義",
        "詳細",
        "報告書",
        "子供",
        "日程第六",
        "改正案",
        "使途",
        "新任各閣僚",
        "穂高先生",
    }
    assert any("海岸林" in word for word in words)


def test_terms_are_explained_in_the_words_of_the_speech(sample_of):
    meeting = sample_of("chiiki-kotsu-iinkai")
    results = {term.term: term for term in analyze_meeting(meeting).terms}
    assert set(results) == {"地域生活交通", "レベル四"}
    assert all(term.definition in meeting.by_order[term.order].text for term in results.values())


def test_categories_come_from_the_list_by_evidence(sample_of):
    assert analyze_meeting(sample_of("kyushoku-sankounin")).categories[0] == "子育て・教育"
    assert analyze_meeting(sample_of("chiiki-kotsu-iinkai")).categories[0] == "国土・交通"
    assert {"国土・交通", "外交"} <= set(analyze_meeting(sample_of("sangiin-honkaigi")).categories)
    assert set(analyze_meeting(sample_of("yosan-iinkai")).categories) <= set(CATEGORIES)


def test_what_is_about_nothing_is_about_the_parliament(meeting_with):
    assert analyze_meeting(meeting_with("○榛名委員長　本日は散会いたします。", meeting="両院協議会")).categories == (
        "議会運営",
    )

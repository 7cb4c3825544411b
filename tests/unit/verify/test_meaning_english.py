"""What an English sentence may not drop, put in or exchange: quantifiers, hedges, causes, roles, opposites."""

import pytest

from almanac.verify import FindingKind, Verdict

TOWN = (
    "Most of the stalls at Corby market were flooded, but nearly all of the traders had left in time. Police arrested a"
    " man on suspicion of stealing a generator. The council recommended that traders move their vans to the upper car"
    " park. It plans to rebuild the south wall next year. Heavy rain is forecast for Friday. The manager of the market"
    " denied that it was looking for a new site."
)
FUND = (
    "The Alder Fund gives grants of up to 8,000 euros to village theatres. Theatres must raise at least 15 percent of"
    " the costs. Eleven theatres applied last year and all of them were funded. It was the first round of the"
    " programme. Ticket prices rose last year. Energy prices rose last year. Two directors were told to come back in"
    " spring."
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("All of the stalls at Corby market were flooded.", TOWN),
        ("All of the traders had left in time.", TOWN),
        ("Most of them were funded last year.", FUND),
        ("It was the last round of the programme.", FUND),
        ("Theatres must always raise at least 15 percent of the costs.", FUND),
        ("Only eleven theatres applied last year.", FUND),
    ],
)
def test_a_stronger_or_weaker_word_of_degree_is_unconfirmed(verdict_of, text, source):
    assert verdict_of(text, source).verdict is Verdict.UNCONFIRMED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("A man stole a generator.", TOWN),
        ("Traders moved their vans to the upper car park.", TOWN),
        ("The council has rebuilt the south wall.", TOWN),
        ("The market is looking for a new site.", TOWN),
        ("The Alder Fund gives grants of 8,000 euros to village theatres.", FUND),
        ("Theatres raise 15 percent of the costs.", FUND),
        ("Ticket prices may have risen last year.", FUND),
    ],
)
def test_a_hedge_is_neither_dropped_nor_put_in(verdict_of, text, source):
    assert verdict_of(text, source).verdict in {Verdict.UNCONFIRMED, Verdict.CHANGED}


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("A man was arrested on suspicion of stealing a generator.", TOWN),
        ("The council advised traders to move their vans to the upper car park.", TOWN),
        ("The south wall is to be rebuilt next year.", TOWN),
        ("The majority of the stalls were flooded.", TOWN),
        ("Almost all traders had left in time.", TOWN),
        ("Village theatres can get up to 8,000 euros.", FUND),
        ("Every theatre that applied last year was funded.", FUND),
        ("Theatres have to raise at least 15 percent of the costs.", FUND),
    ],
)
def test_the_same_degree_and_hedge_in_other_words_is_supported(verdict_of, text, source):
    checked = verdict_of(text, source)
    assert checked.verdict is Verdict.SUPPORTED, checked.findings


def test_two_facts_side_by_side_are_no_cause(verdict_of):
    assert verdict_of("Ticket prices rose because energy prices rose.", FUND).verdict is Verdict.UNCONFIRMED


def test_a_cause_that_the_source_gives_is_supported(verdict_of):
    source = "Ticket prices rose after energy became dearer. The roof was closed due to snow."
    assert verdict_of("The roof was closed because of snow.", source).verdict is Verdict.SUPPORTED


def test_another_thing_of_the_same_kind_is_unconfirmed(verdict_of):
    source = "Two cooks were told to stay at home. The guests ate in the garden."
    checked = verdict_of("Two guests were told to stay at home.", source)
    assert checked.verdict is Verdict.UNCONFIRMED
    assert checked.findings[0].expected == "cooks"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The kitchen was closed under a mandatory order.", "The kitchen was closed under a voluntary order."),
        ("The bridge is unsafe for lorries.", "The bridge is safe for lorries."),
        ("All eleven patients on the ward died.", "All eleven patients on the ward recovered."),
        ("The clinic treats rural patients.", "The clinic treats urban patients."),
        ("A woman fell from the pier.", "A man fell from the pier."),
        ("Sales of the mill rose to 40 tonnes.", "Sales of the mill eased to 40 tonnes."),
    ],
)
def test_an_opposite_word_is_a_change(verdict_of, text, source):
    assert verdict_of(text, source).verdict is Verdict.CHANGED


def test_a_headline_may_say_that_power_is_cut(verdict_of):
    source = "A storm left 40,000 homes in the valley without power on Sunday."
    assert verdict_of("Storm cuts power to 40,000 homes in the valley.", source).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize("text", ["I like the village theatres.", "Did theatres apply last year?", "Yes, it is."])
def test_talk_of_oneself_and_questions_are_unconfirmed(verdict_of, text):
    checked = verdict_of(text, FUND)
    assert checked.verdict in {Verdict.UNCONFIRMED, Verdict.UNSUPPORTED}


def test_each_sentence_of_a_claim_is_checked(verdict_of):
    first, second = "Eleven theatres applied last year.", "The manager of the market resigned."
    checked = verdict_of(f"{first} {second}", f"{FUND} {TOWN}")
    assert checked.verdict is Verdict.UNCONFIRMED
    assert {finding.kind for finding in checked.findings} == {FindingKind.UNCOVERED}
    assert "resigned" in checked.findings[0].reason


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Output rose to 312 tonnes.", "Output was 312 tonnes, compared with 347 tonnes a year earlier."),
        ("Output rose to 312 tonnes from 347 tonnes.", "Output was 312 tonnes this year and 347 tonnes last year."),
    ],
)
def test_a_direction_against_the_figures_is_a_change(verdict_of, text, source):
    assert verdict_of(text, source).verdict is Verdict.CHANGED


def test_a_direction_that_follows_from_the_figures_is_supported(verdict_of):
    source = "Output was 312 tonnes, compared with 347 tonnes a year earlier."
    assert verdict_of("Output fell to 312 tonnes.", source).verdict is Verdict.SUPPORTED


def test_another_speaker_is_unconfirmed(verdict_of):
    source = "Chair Ines Marlow said the bill would let ports keep their fees. The Harbour Union met on Monday."
    assert verdict_of("The Harbour Union said the bill would let ports keep their fees.", source).verdict in {
        Verdict.UNCONFIRMED,
        Verdict.CHANGED,
    }
    assert verdict_of("Marlow said the bill would let ports keep their fees.", source).verdict is Verdict.SUPPORTED


def test_a_name_from_another_clause_is_unconfirmed(verdict_of):
    source = "The Silver scheme pays for exhibitions, the Bronze scheme pays for repairs."
    assert verdict_of("The Bronze scheme pays for exhibitions.", source).verdict is Verdict.UNCONFIRMED
    assert verdict_of("The Silver scheme pays for exhibitions.", source).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (
            "The full council passed the bill in March.",
            "The committee passed the bill. A full council vote is due in March.",
        ),
        (
            "The firm paid a dividend of 15 cents.",
            "The board proposed a dividend of 15 cents. The firm paid its debts.",
        ),
    ],
)
def test_a_figure_or_date_that_is_only_proposed_is_not_past(verdict_of, text, source):
    assert verdict_of(text, source).verdict is Verdict.UNCONFIRMED


def test_a_light_word_needs_no_cover_beside_enough_others(verdict_of):
    source = "The debate in the harbour committee about the ferry subsidy took six hours."
    assert verdict_of("The committee's debate about the ferry subsidy lasted six hours.", source).verdict is (
        Verdict.SUPPORTED
    )
    assert verdict_of("The committee's debate about the ferry subsidy was heated.", source).verdict is (
        Verdict.UNCONFIRMED
    )


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Mira Holt voted for the levy.", "Mira Holt voted against the levy and called it rash."),
        ("The new depot has planning permission.", "The new depot needs planning permission."),
        ("The builder has fled the country.", "The builder has fled the country, police believe."),
        ("Equipment is eligible.", "Travel costs are eligible, equipment is not."),
    ],
)
def test_a_side_a_need_a_belief_and_a_short_denial_are_kept(verdict_of, text, source):
    assert verdict_of(text, source).verdict in {Verdict.UNCONFIRMED, Verdict.CHANGED}

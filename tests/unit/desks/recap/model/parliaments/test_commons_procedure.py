"""Decisions of the Commons, bound to the business that was named, with their counts."""

from almanac.desks.recap.model.parliaments.record_reader import read_record, trace_course
from commons_sittings import coastal_homes, noted, said, sitting

BILL = ("Harbour Lights Bill",)


def decided(*notes, headings=BILL, speeches=()):
    meeting = sitting((headings, (*speeches, *(noted(text) for text in notes))))
    return [
        (each.subject, each.outcome, (each.vote.in_favour, each.vote.against) if each.vote else None)
        for each in read_record(meeting).decisions
    ]


def test_a_division_is_bound_to_the_question_put_before_it():
    facts = read_record(coastal_homes())
    first = facts.decisions[0]
    assert (first.subject, first.outcome) == ("Second Reading of the Coastal Homes Bill", "agreed")
    assert (first.vote.in_favour, first.vote.against) == (312, 188)
    assert first.bill == facts.bills[0].key


def test_the_effect_of_a_result_is_not_a_second_decision():
    assert [each.subject for each in read_record(coastal_homes()).decisions] == [
        "Second Reading of the Coastal Homes Bill",
        "Programme motion for the Coastal Homes Bill",
    ]


def test_a_result_without_a_question_has_no_subject():
    assert decided("Question put and agreed to.") == [("", "agreed", None)]


def test_a_question_under_another_heading_is_not_decided_by_a_later_result():
    meeting = sitting(
        (BILL, (noted("Question proposed, That the Bill be now read a Second time."),)),
        (("Fisheries",), (noted("Question put and agreed to."),)),
    )
    assert [each.subject for each in read_record(meeting).decisions] == [""]


def test_what_a_member_claims_about_a_vote_is_no_decision():
    speech = said("Tom Reed", "Question put and agreed to. That is what they told us last year. Ayes 400, Noes 2.")
    assert decided(speeches=(speech,)) == []


def test_third_reading_passes_the_bill():
    assert decided("Question put, That the Bill be now read the Third time.", "Question agreed to.") == [
        ("Third Reading of the Harbour Lights Bill", "passed", None)
    ]


def test_a_bill_read_the_first_time_was_introduced():
    assert decided("Bill read the First time; to be read a Second time on Friday 3 July.") == [
        ("Harbour Lights Bill", "introduced", None)
    ]


def test_an_amendment_is_told_by_its_number_and_leaves_the_bill_undecided():
    meeting = sitting(
        (
            (*BILL, "New Clause 2"),
            (
                noted("Amendment proposed: 14, page 3, line 8, leave out “may” and insert “must”."),
                noted("Question put, That the amendment be made."),
                noted("The House divided: Ayes 201, Noes 298.", "division"),
                noted("Question accordingly negatived."),
            ),
        )
    )
    (decision,) = read_record(meeting).decisions
    assert (decision.subject, decision.outcome) == ("Amendment 14 to the Harbour Lights Bill", "rejected")
    assert (decision.vote.in_favour, decision.vote.against) == (201, 298)
    assert decision.bill is None


def test_a_withdrawn_amendment():
    motion = said("Jo Lane", "I beg to move amendment 7, page 2, line 1, at end insert the following.")
    assert decided("Amendment, by leave, withdrawn.", speeches=(motion,)) == [
        ("Amendment 7 to the Harbour Lights Bill", "withdrawn", None)
    ]


def test_approved_regulations_are_called_by_their_name():
    put = (
        "Motion made, and Question put forthwith (Standing Order No. 118(6)), That the draft Sea Wall (Grants) "
        "Regulations 2026, which were laid before this House on 3 February, be approved."
    )
    assert decided(put, "Question agreed to.", headings=("Delegated Legislation", "Coast")) == [
        ("Draft Sea Wall (Grants) Regulations 2026", "approved", None)
    ]


def test_a_motion_is_called_by_its_business():
    mover = said("Ada Marsh", "I beg to move,\nThat this House has considered coastal erosion in Holderness.")
    put = ("Question put and agreed to.", "Resolved, That this House has considered coastal erosion in Holderness.")
    assert decided(*put, headings=("Backbench Business", "Coastal Erosion"), speeches=(mover,)) == [
        ("Motion on Coastal Erosion", "agreed", None)
    ]


def test_a_count_without_an_announced_result_is_decided_by_its_majority():
    assert decided("Question put, That the Bill be now read a Second time.", "Ayes 12, Noes 30.") == [
        ("Second Reading of the Harbour Lights Bill", "rejected", (12, 30))
    ]


def test_the_adjournment_is_no_decision():
    assert decided("Motion made, and Question proposed, That this House do now adjourn.", "Question agreed to.") == []


def test_the_lords_use_words_of_their_own():
    meeting = sitting(
        (
            ("Harbour Lights Bill [HL]", "Report"),
            (
                said("Baroness Quill", "I beg to move, That the Bill be now read a third time."),
                noted("Contents 140; Not-Contents 97.", "division"),
                noted("Motion agreed."),
                noted("Amendment 3 withdrawn."),
            ),
        ),
        house="House of Lords",
    )
    decisions = read_record(meeting).decisions
    assert [(each.subject, each.outcome) for each in decisions] == [
        ("Third Reading of the Harbour Lights Bill", "passed"),
        ("Amendment 3 to the Harbour Lights Bill", "withdrawn"),
    ]
    assert decisions[0].vote.against == 97


def test_a_bill_has_one_key_in_both_houses():
    commons = sitting((("Harbour Lights Bill [Lords]",), (noted("Bill read the First time."),)))
    lords = sitting((("Harbour Lights Bill [HL]",), (noted("Bill passed."),)), house="House of Lords")
    assert read_record(commons).bills[0].key == read_record(lords).bills[0].key


def test_speeches_are_told_apart():
    course = trace_course(coastal_homes())
    assert list(course.reactions.values())[:8] == [
        "質問",
        "答弁",
        "質問",
        "答弁",
        "議事進行",
        "趣旨説明",
        "反対",
        "賛成",
    ]
    assert course.response_to == {2: 1, 4: 3}


def test_an_urgent_question_and_its_answers_without_offices():
    meeting = sitting(
        (
            ("Ferry Services",),
            (
                said("Ada Marsh", "(Urgent Question): To ask the Secretary of State for Transport about the ferries."),
                said("Omar Finch", "The company told us on Monday that three ferries would stop."),
                said("Jo Lane", "Who will pay the crews?"),
                said("Omar Finch", "The crews will be paid until the end of July."),
            ),
        )
    )
    assert list(trace_course(meeting).reactions.values()) == ["質問", "答弁", "質問", "答弁"]


def test_a_statement_and_the_questions_on_it():
    meeting = sitting(
        (
            ("Sea Wall Collapse",),
            (
                said("Priya Holt", "With permission, Mr Speaker, I will make a statement on the sea wall at Skipsea."),
                said("Tom Reed", "The wall fell on Sunday. When did she first hear of it?"),
                said("Priya Holt", "I was told at six o’clock on Sunday morning."),
                said("Ada Marsh", "On a point of order, Mr Speaker. Can that be right?"),
            ),
        )
    )
    assert list(trace_course(meeting).reactions.values()) == ["報告", "質問", "答弁", "議事進行"]

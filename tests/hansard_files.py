"""A day of the Commons in both forms of Hansard, written for these tests."""

from pathlib import Path

PUBLICWHIP = Path(__file__).with_name("hansard_day.xml").read_text("iso-8859-1")


def _item(order, value, who=None, member=None, tag="hs_Para", kind="Contribution"):
    return {
        "ItemType": kind,
        "ItemId": order,
        "ExternalId": f"ITEM-{order}",
        "HRSTag": tag,
        "MemberId": member,
        "AttributedTo": who,
        "Value": value,
        "OrderInSection": order,
        "Timecode": None,
    }


def _overview(title, ext_id, tag=None):
    return {
        "Id": 1,
        "ExtId": ext_id,
        "Title": title,
        "HRSTag": tag,
        "Date": "2026-06-02T00:00:00",
        "Location": "Commons Chamber",
        "House": "Commons",
        "VolumeNo": 790,
    }


QUESTIONS = {
    "Overview": _overview("Oral Answers to Questions", "AAAA", "hs_3OralAnswers"),
    "Items": [],
    "ChildDebates": [
        {
            "Overview": _overview("Environment", "BBBB", "hs_6bDepartment"),
            "Items": [_item(1, "<em>The Secretary of State was asked—</em>", tag="hs_Para")],
            "ChildDebates": [
                {
                    "Overview": _overview("Flood Defences", "CCCC"),
                    "Items": [
                        _item(
                            1,
                            "What steps she is taking to repair flood defences on the east coast.",
                            "Ada Marsh (Skipsea) (Green)",
                            71,
                        ),
                        _item(
                            2,
                            "We are investing £240 million in flood defences on the east coast over three years.",
                            "The Secretary of State for the Environment (Priya Holt)",
                            72,
                        ),
                        _item(3, "When will the sea wall be rebuilt?", "Ada Marsh", 71),
                        _item(4, "Work on the sea wall will begin in March 2027.", "Priya Holt", 72),
                    ],
                    "ChildDebates": [],
                }
            ],
        }
    ],
}
SECOND_READING = {
    "Overview": _overview("Coastal Homes Bill [Lords]", "DDDD", "hs_2DebBill"),
    "Items": [
        _item(1, "12:40", tag="hs_Timeline", kind="Timestamp"),
        _item(2, "I call the Secretary of State.", "Mr Speaker", 79),
        _item(3, "<p>I beg to move, That the Bill be now read a Second time.</p>", "Priya Holt", 72),
        _item(4, "The Bill will require councils to warn buyers of homes within 50 metres of an eroding cliff."),
        _item(
            5,
            "We cannot support this Bill because it leaves councils to pay for the demolition of homes.",
            "Tom Reed (Holderness) (Con)",
            73,
        ),
        _item(6, "<em>Question put</em>, That the Bill be now read a Second time."),
        _item(7, "", kind="Division", tag="Division"),
        _item(8, "<em>Question accordingly agreed to.</em>"),
    ],
    "ChildDebates": [],
    "Divisions": [
        {"Id": 5, "ExternalId": "ITEM-7", "Number": "41", "AyesCount": 312, "NoesCount": 188, "House": "Commons"}
    ],
}
DEBATES = [QUESTIONS, SECOND_READING]

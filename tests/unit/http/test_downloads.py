"""Downloads have a safe file name, whatever the name contains."""

import pytest

from almanac.http.responses import attachment_header, download_response


def test_a_plain_name_stands_as_it_is():
    assert attachment_header("issue 7.pdf") == {"Content-Disposition": 'attachment; filename="issue 7.pdf"'}


@pytest.mark.parametrize(
    ("name", "plain", "exact"),
    [
        ("週報.pdf", "__.pdf", "%E9%80%B1%E5%A0%B1.pdf"),
        ('a"; filename="b.exe', "a_; filename=_b.exe", "a%22%3B%20filename%3D%22b.exe"),
        ("a\r\nSet-Cookie: b", "a__Set-Cookie: b", "a%0D%0ASet-Cookie%3A%20b"),
    ],
)
def test_any_other_name_can_not_break_out_of_the_header(name, plain, exact):
    header = attachment_header(name)["Content-Disposition"]
    assert header == f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}"


def test_the_answer_says_what_it_is_and_what_chose_it():
    answer = download_response(b"%PDF", "week.pdf", "application/pdf", vary="Accept")
    assert answer.body == b"%PDF"
    assert (answer.media_type, answer.headers["Vary"]) == ("application/pdf", "Accept")

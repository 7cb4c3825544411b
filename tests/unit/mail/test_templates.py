"""Mail templates are files; they escape values and fail on missing ones."""

from pathlib import Path

import pytest

from almanac.errors import InputError
from almanac.mail.mail_templates import TEMPLATES, MailTemplates

VALUES = {
    "code": "123 456",
    "name": "Anna <b>",
    "inviter": "Ben & Co",
    "link": "https://almanac.example.org/x?a=1&b=2",
    "expires": "noon",
    "transport": "smtp",
    "asked_by": "Ben",
    "title": "A passkey was added",
    "sentence": "a passkey was added to your account.",
}
SHIPPED = sorted(folder.name for folder in TEMPLATES.iterdir() if folder.is_dir())


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_template_has_a_subject_a_text_and_an_html_part(name: str) -> None:
    rendered = MailTemplates().render(name, VALUES)
    assert rendered.subject
    assert "\n" not in rendered.subject
    assert rendered.text.endswith("\n")
    assert rendered.html is not None
    assert "<b>" not in rendered.html.partition("<main>")[2]


def test_html_is_escaped_and_text_is_not() -> None:
    rendered = MailTemplates().render("invite", VALUES)
    assert "Anna <b>" in rendered.text
    assert "Anna &lt;b&gt;" in rendered.html
    assert 'href="https://almanac.example.org/x?a=1&amp;b=2"' in rendered.html
    assert rendered.subject == "Ben & Co invites you to Almanac"


def test_a_subject_stays_one_line_whatever_the_values_hold() -> None:
    rendered = MailTemplates().render("invite", VALUES | {"inviter": "Eve\r\nBcc: eve@example.org\u2028"})
    assert rendered.subject == "Eve Bcc: eve@example.org invites you to Almanac"


def test_a_missing_value_is_an_error_and_not_a_gap() -> None:
    with pytest.raises(InputError, match=r"reset/body\.txt lacks a value: 'name' is undefined"):
        MailTemplates().render("reset", {"link": "x", "expires": "y"})


def test_a_desk_brings_its_own_templates_and_shares_the_layout(tmp_path: Path) -> None:
    folder = tmp_path / "digest"
    folder.mkdir()
    (folder / "subject.txt").write_text("Digest of {{ day }}\n")
    (folder / "body.txt").write_text("News\n")
    assert MailTemplates(tmp_path).render("digest", {"day": "Monday"}).html is None
    (folder / "body.html").write_text('{% extends "_layout.html" %}{% block body %}<p>News</p>{% endblock %}')
    html = MailTemplates(tmp_path).render("digest", {"day": "Monday"}).html
    assert html is not None
    assert "<p>News</p>" in html
    assert "Sent by Almanac." in html

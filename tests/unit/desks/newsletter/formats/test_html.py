"""HTML export for mail and web: styled, accessible, with nothing loaded from elsewhere."""

import re
from itertools import pairwise

import pytest

from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.html import render_issue_mail, write_html_mail, write_web_page


@pytest.fixture(scope="module")
def mail(weekly) -> str:
    return write_html_mail(weekly).content.decode()


@pytest.fixture(scope="module")
def page(weekly) -> str:
    return write_web_page(weekly).content.decode()


def test_a_mail_carries_its_styles_in_each_element(mail):
    assert re.search(r'<h1[^>]* style="[^"]*font-size: ?32px', mail)
    assert re.search(r'<p[^>]* style="[^"]*margin: ?0 0 16px', mail)


def test_a_mail_keeps_the_rules_for_phones_and_the_dark(mail):
    style = re.search(r"<style[^>]*>(.*?)</style>", mail, re.DOTALL)[1]
    assert "(max-width: 600px)" in style
    assert "(prefers-color-scheme: dark)" in style
    assert '<meta name="color-scheme" content="light dark">' in mail


def test_the_preview_is_hidden_text_at_the_top(mail):
    body = mail[mail.index("<body") :]
    first = re.search(r'<div class="preheader" aria-hidden="true" style="([^"]*)">([^<]*)', body)
    assert "display: none" in first[1]
    assert first[2].startswith("Dearer goats")


def test_nothing_is_loaded_from_elsewhere(mail, page):
    for written in (mail, page):
        assert not re.search(r"<(img|script|link|iframe|object|embed)\b|@import|url\(", written)


@pytest.mark.parametrize("write", [write_html_mail, write_web_page])
def test_headings_go_down_by_one(weekly, write):
    levels = [int(level) for level in re.findall(r"<h(\d)", write(weekly).content.decode())]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_a_number_in_a_mail_opens_the_source_and_one_without_address_the_list(mail):
    assert 'href="https://markets.example.org/garissa" title="Livestock prices recover"' in mail
    assert 'href="#reference-3" title="Food security bulletin"' in mail


def test_a_number_on_a_page_leads_to_the_list(page):
    assert re.findall(r'<sup class="cite">.*?</sup>', page)[1].count('href="#reference-') == 2
    assert [f'id="reference-{number}"' in page for number in (1, 2, 3, 4)] == [True] * 4


def test_the_page_names_its_language_and_direction(issue):
    assert '<html lang="ar" dir="rtl">' in write_web_page(issue(language="ar")).content.decode()
    assert '<html lang="zh-Hant" dir="ltr">' in write_web_page(issue(language="zh-Hant")).content.decode()


def test_the_parts_of_a_mail_come_together(weekly, mail):
    parts = render_issue_mail(weekly)
    assert (parts.subject, parts.preheader, parts.html) == ("Rain & the price of goats", "Dearer goats", mail)
    assert parts.text == export_issue(weekly, ExportFormat.TEXT).content.decode()


def test_a_mail_that_gmail_would_cut_is_noted(issue):
    assert write_html_mail(issue("Rain came. " * 200)).notes == ()
    assert "102 KB" in write_html_mail(issue("Rain came early.\n\n" * 2000)).notes[0]

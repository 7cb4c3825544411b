"""The mail of a week: its figures and its chart in words and in HTML, and the report on paper with it."""

from almanac.accounts.model import Principal
from almanac.desks.habits.letters import TEMPLATES
from almanac.desks.habits.reporting.paper import PDF, ReportFile
from almanac.desks.habits.reporting.week import Week
from almanac.mail import Address, Attachment, Message

REPORT_TOPIC = "habits.weekly_report"


def report_message(public_url: str, owner: Principal, week: Week, file: ReportFile) -> Message:
    """A week with its figures and its chart, and the same on paper."""
    values = {
        "person": owner.name,
        "week": week,
        "link": f"{public_url}/habits/report?week={week.first}",
        "settings_link": f"{public_url}/habits/settings",
    }
    words = TEMPLATES.render("weekly_report", values)
    return Message(
        to=(Address(owner.email, owner.name),),
        subject=words.subject,
        text=words.text,
        html=words.html,
        topic=REPORT_TOPIC,
        bulk=True,
        attachments=(Attachment(file.name, PDF, file.content),),
    )

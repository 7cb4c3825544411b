"""The mails of this desk, from their templates."""

from importlib.resources import files
from pathlib import Path

from almanac.accounts.model import Principal
from almanac.desks.habits.formats.report_pdf import PDF, ReportFile
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.rewards import describe_achievement
from almanac.desks.habits.model.week_report import WeekReport
from almanac.mail import Address, Attachment, Message
from almanac.mail.mail_templates import MailTemplates

TEMPLATES = MailTemplates(Path(str(files("almanac.desks.habits"))) / "templates" / "mail")
ACHIEVEMENT_TOPIC, REMINDER_TOPIC = "habits.achievement", "habits.reminder"
REPORT_TOPIC = "habits.weekly_report"


def achievement_message(public_url: str, owner: Principal, habit: Habit, milestone: int) -> Message:
    """Congratulations that name what was achieved."""
    values = {
        "person": owner.name,
        "achievement": describe_achievement(milestone, habit.name, habit.streak_unit),
        "habit": habit.name,
        "milestone": milestone,
        "unit": habit.streak_unit,
        "link": f"{public_url}/habits",
    }
    words = TEMPLATES.render("achievement", values)
    return Message(
        to=(Address(owner.email, owner.name),),
        subject=words.subject,
        text=words.text,
        html=words.html,
        topic=ACHIEVEMENT_TOPIC,
        bulk=True,
    )


def reminder_message(owner: Principal, habit: Habit, links: dict[str, str]) -> Message:
    """A habit that is due, with links to say that it is done or skipped."""
    asked = habit.rule.sentence
    streak = habit.streak_words(habit.current_streak) if habit.current_streak else ""
    values = {"person": owner.name, "habit": habit.name, "asked": asked, "streak": streak, **links}
    words = TEMPLATES.render("reminder", values)
    return Message(
        to=(Address(owner.email, owner.name),),
        subject=words.subject,
        text=words.text,
        html=words.html,
        topic=REMINDER_TOPIC,
        bulk=True,
    )


def report_message(public_url: str, owner: Principal, week: WeekReport, file: ReportFile) -> Message:
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

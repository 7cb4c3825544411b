"""The mails of this desk: achievements, reminders and weekly reports, rendered from templates."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from almanac.accounts.model import Principal
from almanac.desks.habits.formats.report_pdf import PDF, ReportFile
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.rewards import describe_achievement
from almanac.desks.habits.model.week_report import WeekReport
from almanac.kit.catalogs import nearest_language
from almanac.kit.locale_formats import format_number, format_shape
from almanac.kit.messages import translate
from almanac.mail import Address, Attachment, Message
from almanac.mail.mail_templates import MailTemplates
from almanac.saved.owners import find_active_owner
from almanac.services import Services

TEMPLATES = MailTemplates(Path(str(files("almanac.desks.habits"))) / "templates" / "mail")
ACHIEVEMENT_TOPIC, REMINDER_TOPIC = "habits.achievement", "habits.reminder"
REPORT_TOPIC = "habits.weekly_report"


async def find_recipient(services: Services, user_id: str, topic: str) -> Principal | None:
    """The account to mail about a topic; None if it is closed, has no address or has unsubscribed."""
    recipient = await find_active_owner(services.accounts, user_id)
    if recipient is None or not recipient.email or await services.suppressions.find(recipient.email, topic=topic):
        return None
    return recipient


def achievement_message(public_url: str, owner: Principal, habit: Habit, milestone: int) -> Message:
    """The mail about a reached milestone."""
    values = {
        "person": owner.name,
        "achievement": describe_achievement(milestone, habit.name, habit.streak_unit),
        "habit": habit.name,
        "length": habit.streak_words(milestone),
        "link": f"{public_url}/habits",
    }
    return _message("achievement", values, owner, ACHIEVEMENT_TOPIC)


def reminder_message(owner: Principal, habit: Habit, links: Mapping[str, str]) -> Message:
    """The mail about a habit that is due, with links to mark it done or skipped."""
    streak = habit.streak_words(habit.current_streak) if habit.current_streak else ""
    values = {"person": owner.name, "habit": habit.name, "asked": habit.rule.sentence, "streak": streak, **links}
    return _message("reminder", values, owner, REMINDER_TOPIC)


def report_message(public_url: str, owner: Principal, week: WeekReport, file: ReportFile) -> Message:
    """The mail of a weekly report, with the PDF attached."""
    values = {
        "person": owner.name,
        "week": _describe_week(week, owner.preferences.language),
        "link": f"{public_url}/habits/report?week={week.first}",
        "settings_link": f"{public_url}/habits/settings",
    }
    return _message("weekly_report", values, owner, REPORT_TOPIC, Attachment(file.name, PDF, file.content))


def _describe_week(week: WeekReport, language: str) -> dict[str, object]:
    """The figures of a week as a language writes them."""
    spoken = nearest_language(language)
    return {
        "title": translate(week.title, spoken),
        "kept": week.kept,
        "asked": week.asked,
        "points": format_number(week.points, spoken),
        "total_points": format_number(week.total_points, spoken),
        "habits": [
            {
                "name": habit.name,
                "kept": habit.kept,
                "asked": habit.asked,
                "rule": translate(habit.rule, spoken),
                "streak_words": translate(habit.streak_words, spoken),
                "strength": f"{habit.strength:.0%}",
                "points": habit.points,
                "at_risk": habit.at_risk,
            }
            for habit in week.habits
        ],
        "strengths": [
            {
                "day": format_shape(strength.last_day, "short", spoken),
                "percent": round(100 * strength.strength),
                "bar": round(20 * strength.strength),
                "text": f"{strength.strength:.0%}",
            }
            for strength in week.strengths
        ],
    }


def _message(
    template: str, values: Mapping[str, object], to: Principal, topic: str, *attachments: Attachment
) -> Message:
    rendered = TEMPLATES.render(template, values, to.preferences.language)
    return Message(
        to=(Address(to.email, to.name),),
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html,
        topic=topic,
        bulk=True,
        attachments=attachments,
    )

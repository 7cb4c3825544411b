"""What people do with habits: one verb, one function, each for a principal and only on what is theirs."""

from almanac.desks.habits.service.boards import (
    Place,
    create_group,
    join_group,
    leaderboard,
    leave_group,
    own_groups,
)
from almanac.desks.habits.service.days_off import (
    cancel_rest_day,
    cancel_vacation,
    plan_vacation,
    rest_days,
    take_rest_day,
    vacations,
)
from almanac.desks.habits.service.entries import complete, notes, skip, undo, unskip, write_note
from almanac.desks.habits.service.forgetting import forget_person
from almanac.desks.habits.service.habits import create, delete, edit, get, list_own, move, preview_rule, reorder
from almanac.desks.habits.service.overviews import (
    DashboardView,
    Explained,
    achievements,
    dashboard,
    explain_streak,
    ledger,
)
from almanac.desks.habits.service.settings import HabitSettings, change_settings, get_settings
from almanac.desks.habits.service.transferring import (
    ExportedFile,
    Form,
    ImportReport,
    export_file,
    import_file,
    read_bundle,
)
from almanac.desks.habits.settling import Settled

__all__ = [
    "DashboardView",
    "Explained",
    "ExportedFile",
    "Form",
    "HabitSettings",
    "ImportReport",
    "Place",
    "Settled",
    "achievements",
    "cancel_rest_day",
    "cancel_vacation",
    "change_settings",
    "complete",
    "create",
    "create_group",
    "dashboard",
    "delete",
    "edit",
    "explain_streak",
    "export_file",
    "forget_person",
    "get",
    "get_settings",
    "import_file",
    "join_group",
    "leaderboard",
    "leave_group",
    "ledger",
    "list_own",
    "move",
    "notes",
    "own_groups",
    "plan_vacation",
    "preview_rule",
    "read_bundle",
    "reorder",
    "rest_days",
    "skip",
    "take_rest_day",
    "undo",
    "unskip",
    "vacations",
    "write_note",
]

"""The history of a table file: base copies and a log of changes beside it, from which any moment is recovered."""

from tablature.engine.history.archive import HistoryArchive
from tablature.engine.history.recovery import HistorySpan, describe_history, recover
from tablature.engine.history.replacement import FileInUse, recover_file, replace_file, require_unused
from tablature.engine.history.segments import HistoryDamaged, history_folder

__all__ = [
    "FileInUse",
    "HistoryArchive",
    "HistoryDamaged",
    "HistorySpan",
    "describe_history",
    "history_folder",
    "recover",
    "recover_file",
    "replace_file",
    "require_unused",
]

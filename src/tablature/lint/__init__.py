"""The design linter: checks of declared tables, each with a code, a reason and a cure. It sends nothing."""

from .checks import Check, Spot
from .run import CHECKS, Finding, Report, lint

__all__ = ["CHECKS", "Check", "Finding", "Report", "Spot", "lint"]

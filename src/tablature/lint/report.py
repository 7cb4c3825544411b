"""A lint report as text for people and as plain data for programs, and the reference page of all checks."""

from typing import Any

from tablature.lint.checks import LintCheck
from tablature.lint.run import CHECKS, GROUPS, LintFinding, LintReport

_ORDER = {"error": 0, "warning": 1, "advice": 2}
_NOUNS = {
    "error": ("error", "errors"),
    "warning": ("warning", "warnings"),
    "advice": ("piece of advice", "pieces of advice"),
}


def report_text(report: LintReport) -> str:
    """The report as text, the most severe findings first."""
    lines = [line for finding in _sort_findings(report.findings) for line in _lines(finding)]
    if report.accepted:
        lines += ["", "Accepted:"]
        lines += [
            f"  {finding.check.code} {finding.issue.subject}: {finding.issue.message} Reason: {finding.reason}"
            for finding in report.accepted
        ]
    return "\n".join([*lines, *([""] if lines else []), _summary(report)])


def _sort_findings(findings: tuple[LintFinding, ...]) -> list[LintFinding]:
    return sorted(
        findings, key=lambda finding: (_ORDER[finding.check.severity], finding.check.code, finding.issue.subject)
    )


def _lines(finding: LintFinding) -> list[str]:
    check, issue = finding.check, finding.issue
    head = f"{check.severity:7} {check.code} {issue.subject}: {issue.message}"
    return [head, f"        try: {issue.cure}"] if issue.cure else [head]


def _summary(report: LintReport) -> str:
    counts = {name: sum(finding.check.severity == name for finding in report.findings) for name in _ORDER}
    words = [f"{count} {_NOUNS[name][count != 1]}" for name, count in counts.items() if count]
    total = ", ".join(words) or "Nothing found"
    return f"{total}; {len(report.accepted)} accepted; {len(CHECKS)} checks."


def report_data(report: LintReport) -> dict[str, Any]:
    """The report as JSON-ready data."""
    return {
        "fails": report.fails,
        "findings": [_data(finding) for finding in _sort_findings(report.findings)],
        "accepted": [_data(finding) | {"reason": finding.reason} for finding in report.accepted],
    }


def _data(finding: LintFinding) -> dict[str, Any]:
    check, issue = finding.check, finding.issue
    return {
        "code": check.code,
        "severity": check.severity,
        "title": check.title,
        "subject": issue.subject,
        "message": issue.message,
        "cure": issue.cure,
    }


_INTRODUCTION = f"""# The checks of `tablature lint`

`tablature lint MODULE` reads the tables that a module declares and reports what is likely to fail, to cause problems
or to cost too much. It needs no database. There are {len(CHECKS)} checks. An **error** will fail, a **warning** will
cause problems, and **advice** is worth considering; errors and warnings make the command exit with 1.

A finding that you want to keep is accepted in the module itself, with a reason:

```python
from tablature.design import accepted

ACCEPTED = [
    accepted("TAB005", "Setting.by_kind", "There are never more than twenty settings."),
]
```

This page is written by `tablature lint --reference`."""


def reference_page() -> str:
    """The reference page of all checks, in Markdown."""
    parts = [_INTRODUCTION]
    for group, checks in GROUPS.items():
        parts += [f"## {group}", *map(_entry, checks)]
    return "\n\n".join(parts) + "\n"


def _entry(check: LintCheck) -> str:
    return f"### {check.code}: {check.title}\n\n*{check.severity}*. {check.why}\n\n**Instead:** {check.fix}"

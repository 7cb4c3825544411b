"""Where a newsletter's files are kept in the object store, under the documented keys."""


def export_prefix(code: str) -> str:
    """Everything that belongs to one newsletter."""
    return f"newsletters/{code}/"


def export_key(code: str, ending: str) -> str:
    """As in `newsletters/NL-20260126-A1B2/export.pdf`."""
    return f"{export_prefix(code)}export.{ending}"


def outline_before_key(code: str) -> str:
    """Where the outline is kept as it was before the last removal from it."""
    return f"{export_prefix(code)}outline-before.json"

"""What storage reports to its callers beside SQLite's own errors."""


class StaleCatalog(Exception):
    """The table a caller holds is no longer the current one; fetch it again and start over."""


class UnreadableFile(Exception):
    """The file cannot be opened, or is not one of ours; the sentence says what to do."""

"""Where official records come from: the port, and the sources behind it. Which one is used is a setting."""

from almanac.desks.recap.sources.port import Collected, MeetingSource, Skipped, SourceRefused, Span

__all__ = ["Collected", "MeetingSource", "Skipped", "SourceRefused", "Span"]

"""Demo content: what desks bring to an empty installation, loaded by jobs that resume, noted, and removed again.

What the content is, each desk knows; this package knows in which order, for whom, and what was made.
"""

from almanac.demo.loading import Demo
from almanac.demo.model import DemoContent, DemoPart, DemoReport, DemoRun
from almanac.demo.record import Loaded

__all__ = ["Demo", "DemoContent", "DemoPart", "DemoReport", "DemoRun", "Loaded"]

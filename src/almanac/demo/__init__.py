"""Demo content for an empty installation: loaded by resumable jobs, recorded, and removable.

Each desk defines its content; this package loads it in order and records what was created.
"""

from almanac.demo.loader import Demo
from almanac.demo.model import DemoContent, DemoPart, DemoRecord, DemoReport, DemoRun

__all__ = ["Demo", "DemoContent", "DemoPart", "DemoRecord", "DemoReport", "DemoRun"]

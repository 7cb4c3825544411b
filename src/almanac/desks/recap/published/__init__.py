"""What anyone may read of the desk: published articles, the people in them and their bills.

Only the register and the texts of articles are read. Tasks, error reports, earlier versions and sentences that were
left out stay in the workspace.
"""

from almanac.desks.recap.published.part import PART

__all__ = ["PART"]

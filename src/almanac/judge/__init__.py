"""A second judge of checked sentences: a model, asked after the rules, for the desks that switch it on.

It can lower a verdict, and confirm what the rules left unconfirmed. It never lifts a contradiction.
"""

from almanac.judge.opinions import JudgeOpinions, SourcedCheck
from almanac.judge.service import SecondJudge
from almanac.judge.step import JUDGE

__all__ = ["JUDGE", "JudgeOpinions", "SecondJudge", "SourcedCheck"]

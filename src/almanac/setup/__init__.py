"""Guided set-up: what an administrator chooses on the first visit and may change later, tried before it is believed."""

from almanac.setup.model import STEPS, MailChoice, ModelChoice, ModelTrial, SetupProgress
from almanac.setup.service import Setup

__all__ = ["STEPS", "MailChoice", "ModelChoice", "ModelTrial", "Setup", "SetupProgress"]

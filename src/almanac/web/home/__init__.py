"""What the home page and its API tell a person: what waits, what ran today, and every desk at a glance."""

from almanac.web.home.gathering import DeskAtAGlance, Home, gather
from almanac.web.home.today import Ran, Today

__all__ = ["DeskAtAGlance", "Home", "Ran", "Today", "gather"]

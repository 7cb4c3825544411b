"""Habits in files: read from other programs' exports and our own, and written so that nothing is lost."""

"""The words of reminders: templates and their placeholders, letters by a model, and the check that nothing is invented.

Which reminder is due is decided elsewhere; here it is only put into words.
"""

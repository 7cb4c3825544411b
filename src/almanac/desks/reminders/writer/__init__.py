"""Letters of reminders: templates, model-written letters, and the check that nothing is invented."""

"""Pure rules of reminders, without storage or clock: ledger, ladder, eligibility, drafts, sent reminders, reports."""

"""What reminders are made of and the rules they follow, without storage: ledger, ladder, decision, draft, sent mail."""

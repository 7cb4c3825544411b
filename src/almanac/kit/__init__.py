"""Pure helpers that every part may use and that use nothing of ours: clock, ids, money, text, paging, logs."""

"""What people do with the ledger, templates, drafts, the plan and reports: one verb, one function, for a principal."""

"""Background work in the order it runs: plan, draft, let the model write, send and follow up, import, erase."""

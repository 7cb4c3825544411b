"""The newsletter's rules as pure values and functions: configuration, topics, outline, draft and staleness."""

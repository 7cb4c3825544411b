"""The desk's pure rules: addresses, statuses, schedules, headlines, tags, countries, similarity. Nothing here reads."""

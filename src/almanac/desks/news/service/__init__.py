"""The verbs of the news desk, one function each: tasks, links, articles, sites, rules, and the fate of an address."""

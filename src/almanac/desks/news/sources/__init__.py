"""Finding links: feeds, pages with links, a search endpoint, a model that searches; one port, one file for each."""

"""Writing about an article: headlines and bullets in three languages, each checked against what the page says."""

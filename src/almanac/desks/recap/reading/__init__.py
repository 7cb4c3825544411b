"""What a reader sees of an article, as pure values: levels with references, the minutes, words that are explained."""

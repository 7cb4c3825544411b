"""Files that people exchange with other programs: lists of feeds as OPML."""

"""Feeds that Almanac publishes: one model, written as RSS, Atom or JSON Feed. Callers decide the content and access."""

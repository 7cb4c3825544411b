"""Fetching politely: a turn for each request, robots.txt, conditional requests, and what each answer means."""

"""The web application: its factory, the platform's own pages and API, and the static files."""

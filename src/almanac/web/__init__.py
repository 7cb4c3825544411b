"""The web surface: the application factory, the platform's own pages and API, and the static files."""

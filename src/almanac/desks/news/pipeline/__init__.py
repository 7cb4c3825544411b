"""Background work of the desk, in running order: discovery, new_links; then link_reader, visit, dedup, storage."""

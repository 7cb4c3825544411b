"""Background work in running order: collect records, write recaps, make articles from tasks, publish them."""

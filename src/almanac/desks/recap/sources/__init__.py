"""Where official records come from: the source interface, the National Diet's API and folders of files."""

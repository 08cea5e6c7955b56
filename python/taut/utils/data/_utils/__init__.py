"""Parts of the loader."""

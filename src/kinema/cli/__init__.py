"""The `kinema` program: one module per command, each a thin layer over the library."""

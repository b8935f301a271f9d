"""One pass a file: each draws into its own buffers from those of the passes before it."""

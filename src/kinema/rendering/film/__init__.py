"""Films and pictures of shots: performances, cameras, and the files that are written."""

"""Films and pictures of shots: who stands where, who films them, what is written."""

"""Films and pictures of takes: who stands where, who films them, what is written."""

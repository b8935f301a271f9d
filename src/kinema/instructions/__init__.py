"""What characters are told in words, and programmes: what they and the camera do, step by step."""

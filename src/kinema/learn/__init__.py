"""Networks, the one training loop, checkpoints."""

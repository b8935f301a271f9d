"""Our own benchmarks: what `kinema bench` runs. Each figure stands beside a yardstick measured in the same process."""

"""The benchmarks behind `kinema bench`. Each value is compared with a yardstick measured in the same process."""

"""The benchmarks behind `kinema bench`. Each value is compared with a baseline measured in the same process."""

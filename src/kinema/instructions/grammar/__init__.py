"""A grammar of instructions in plain English."""

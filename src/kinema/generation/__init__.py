"""Motion of any skeleton as numbers, and what is done with them: sampling, editing, correspondence, evaluation."""

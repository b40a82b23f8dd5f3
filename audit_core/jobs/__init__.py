"""Long work: kinds of jobs, the process that runs one, and the queue in which they wait."""

"""Language models as judges of queries: prompts, who asks them, and what came of it."""

"""The main database: accounts of people, campaigns, entries, judgments, drafts and label sets."""

"""Training Episodes as a format (AT831 …)."""

"""Dataset manifests as a format (AT835 …)."""

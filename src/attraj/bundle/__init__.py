"""The Agent Trajectory Bundle v0.1: tree, index, views, markers, canonical forms, and its checks by family."""

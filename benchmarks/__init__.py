"""Inputs at scale and the measurements over them: `python -m benchmarks.generate`, `python -m benchmarks.run`."""

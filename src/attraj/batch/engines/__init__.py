"""How items are run: one after another, or on a pool of processes when that pays. The order of results is the same."""

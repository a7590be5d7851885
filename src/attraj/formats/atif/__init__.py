"""ATIF v1.0 to v1.8: shape by declared version, the rules A01 to A34, and what Harbor's own validator would say."""

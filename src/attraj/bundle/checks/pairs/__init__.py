"""The checks of two bundles: `validate NEW --against OLD` (class b of the catalogue)."""

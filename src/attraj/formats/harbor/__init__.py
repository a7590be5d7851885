"""Harbor trial and job folders as a whole."""

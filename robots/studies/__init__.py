"""The studies, one file each: what a paper says, what we get, and why they differ."""

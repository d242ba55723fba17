"""What a paper says beside what we get: studies, their findings and figures, kept results."""

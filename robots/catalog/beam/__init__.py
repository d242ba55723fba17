"""The flexible beam of paper 1."""

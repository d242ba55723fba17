"""E1 of paper 5 with the complete coupling of motor and arm."""

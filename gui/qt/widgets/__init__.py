"""Form controls that the panels share: each shows one value, its unit and its range."""

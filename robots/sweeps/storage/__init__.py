"""What sweeps keep on disk: what is computed so far, and results between sessions."""

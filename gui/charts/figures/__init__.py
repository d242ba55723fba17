"""What figures show besides plots: the results of tools and the figures of studies."""

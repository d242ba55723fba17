"""The parts of the scripts that `robots.export.as_python` writes: methods and loops in plain numpy.

A script holds the functions and classes that it uses, as they stand here. They repeat the operations of the compiled
kernels, so that the numbers agree to round-off, but are written to be read.
"""

"""The parts of the scripts that `robots.export.as_python` writes: methods and loops in plain numpy.

A script contains copies of the functions and classes that it uses. They repeat the operations of the compiled kernels,
so that the numbers agree to round-off, but are written for reading.
"""

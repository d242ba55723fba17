"""Compiled equations of constrained bodies; imported only when something is to be computed."""

import solvers.kernels  # noqa: F401 - it says when a compiled function still holds

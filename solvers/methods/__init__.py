"""The methods: each file is one family of them, found by solvers.method_registry."""

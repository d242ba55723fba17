"""The stiff double pendulum of paper 4."""

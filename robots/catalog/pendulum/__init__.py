"""A pendulum of as many links as a person wants."""

"""From a scenario to a run, its reference and its linearisation."""

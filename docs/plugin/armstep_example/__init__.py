"""One addition to Armstep of each kind: a method, a robot and a plot."""

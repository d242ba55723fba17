"""One addition to Armstep of each kind: a method, a robot, a plot and a lesson."""

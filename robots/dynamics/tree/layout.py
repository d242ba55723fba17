"""Where the kernels find what, in one flat array.

A header and a row for each joint; then the track of a pulling hand, with rows (time, x, y, z); then a log, with rows
(time, values, slopes) in the order of q1, q2 and so on; then what a sampled control holds (see
`robots.dynamics.kernels.held`).
"""

from __future__ import annotations

# The header.
JOINTS, GRAVITY, LAW, MOVE_TIME = 0, 1, 4, 5
PULLED, POINT, STIFFNESS, DAMPING, TRACK = 6, 7, 10, 11, 12
INDEPENDENT = 13  # how many joints follow no other
LOGGED = 14  # how many rows the log has
HEADER = 15

# The row of a joint and of the link that it moves. The joint's axis is the z axis of its frame.
KIND, PARENT, TURN, PLACE = 0, 1, 2, 11
MASS, CENTRE, INERTIA, ARMATURE, FRICTION = 14, 15, 18, 24, 25
TORQUE, GAIN_P, GAIN_D, START, TARGET = 26, 27, 28, 29, 30
COORDINATE, RATIO, SHIFT, LEADS = 31, 32, 33, 34  # the free coordinate, and position = ratio times it plus shift
NUMBER = 35  # k - 1 of a joint whose position is qk
ROW = 36

REVOLUTE, PRISMATIC = 0.0, 1.0

# The laws of the joints' torques.
FREE, CONSTANT, PD, PD_GRAVITY, COMPUTED, LOG, HELD = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0

# What the kernels know of each link in the world, about the world's origin: rotation, origin, and with the angular part
# first the joint's axis, velocity, acceleration and force; then mass, first moment and moment of inertia.
ROTATION, ORIGIN, AXIS, VELOCITY, ACCELERATION, FORCE, BODY = 0, 9, 12, 18, 24, 30, 36
STATE = 46

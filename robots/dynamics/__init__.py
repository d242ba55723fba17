"""Equations and kinematics that several robots share."""

"""A tool that follows a path: closed-loop inverse kinematics of any serial arm."""

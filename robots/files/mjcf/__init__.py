"""MJCF: compiled by MuJoCo, the extra `armstep[mujoco]`, in a process of its own, and read from its arrays."""

"""MJCF: compiled by MuJoCo, the extra `armstep[mujoco]`, in a separate process, and read from its arrays."""

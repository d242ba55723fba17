"""Arms as mathematics: kinematics, dynamics, equations, tasks, shapes; scenarios and runs."""

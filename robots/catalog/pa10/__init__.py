"""The PA-10 of paper 3: seven axes that follow a path by closed-loop inverse kinematics."""

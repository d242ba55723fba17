"""Arms as trees of rigid links with revolute and prismatic joints: one engine for every robot that a file describes."""

"""The timeline: transport, time, and the lane of solver steps."""

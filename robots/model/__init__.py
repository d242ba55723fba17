"""What a robot is made of: facts, fields, shapes, charts and the registry."""

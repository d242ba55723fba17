"""What a robot is made of: facts, fields, shapes, results of its studies, and the registry."""

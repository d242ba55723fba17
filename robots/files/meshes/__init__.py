"""Meshes of robot files: STL and OBJ, with an extra DAE and GLB; simplification; one store per robot."""

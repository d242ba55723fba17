"""Meshes of robot files: readers of STL, OBJ and, by an extra, of DAE and GLB; fewer triangles; one store a robot."""

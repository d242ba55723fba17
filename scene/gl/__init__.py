"""The OpenGL 3.3 core renderer."""

"""What the kernels of several families share: linear equations, derivatives, controllers, the first step."""

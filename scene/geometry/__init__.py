"""Triangle meshes of arms, made with numpy: outlines, solids, tubes, and whole arms."""

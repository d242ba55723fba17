"""Run as a program: compiles the MJCF on standard input with MuJoCo, and writes the model's arrays as JSON.

It imports nothing of Armstep. Limits on time and memory are set before the file is read.
"""

from __future__ import annotations

import base64
import json
import sys
from importlib import import_module
from typing import Any

SECONDS, MEMORY = 30, 4 * 2**30
ARRAYS = {
    "body": ("parentid", "pos", "quat", "mass", "ipos", "iquat", "inertia"),
    "jnt": ("type", "bodyid", "pos", "axis", "range", "limited", "stiffness", "qposadr", "dofadr"),
    "dof": ("damping", "armature", "frictionloss"),
    "geom": ("type", "bodyid", "pos", "quat", "size", "rgba", "group", "dataid", "matid"),
    "mat": ("rgba",),
}
COUNTS = ("neq", "ntendon", "nu", "nsensor", "npair", "nkey", "nflex")


def main() -> int:
    """Read, compile, write; 1 with a sentence for a file that MuJoCo refuses."""
    limit()
    mujoco: Any = import_module("mujoco")
    given = json.load(sys.stdin)
    assets = {name: base64.b64decode(text) for name, text in given["assets"].items()}
    try:
        model = mujoco.MjModel.from_xml_string(given["xml"], assets)
    except Exception as problem:
        # MuJoCo reports what it refuses as a ValueError, and other troubles as others.
        json.dump({"refused": str(problem)[:400]}, sys.stdout)
        return 1
    arrays = {f"{kind}_{name}": getattr(model, f"{kind}_{name}").tolist() for kind in ARRAYS for name in ARRAYS[kind]}
    found: dict[str, Any] = {"arrays": arrays | {"qpos0": model.qpos0.tolist()}}
    found |= {name: int(getattr(model, name, 0)) for name in COUNTS}
    found["gravity"] = model.opt.gravity.tolist()
    for kind, count in (("body", model.nbody), ("joint", model.njnt), ("geom", model.ngeom)):
        found[f"{kind}_names"] = [getattr(model, kind)(k).name for k in range(count)]
    found["meshes"] = [
        {
            "points": base64.b64encode(model.mesh_vert[v : v + nv].astype("<f4").tobytes()).decode(),
            "faces": base64.b64encode(model.mesh_face[f : f + nf].astype("<i4").tobytes()).decode(),
        }
        for v, nv, f, nf in zip(
            model.mesh_vertadr, model.mesh_vertnum, model.mesh_faceadr, model.mesh_facenum, strict=True
        )
    ]
    json.dump(found, sys.stdout)
    return 0


def limit() -> None:
    """Limit the time and memory of this process, on systems that can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


if __name__ == "__main__":
    sys.exit(main())

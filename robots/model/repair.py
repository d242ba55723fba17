"""Repairs masses and inertias that no body can have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assets.counting import counted
from robots.model.mesh import unpacked
from robots.model.tree import Link, Tree, entries, matrix

_DENSITY = 1000.0
"""Density of a link without a mass, whose volume is a tenth of the box around its solids [kg/m3]."""
_FILL, _SMALLEST = 0.1, 0.02
_ROUND = 1e-3
"""The least second moment of mass along an axis, as a share of the largest: no body is flat."""


def repaired(tree: Tree) -> Tree:
    """The tree with a possible mass and inertia for each moved link, and a sentence about each change."""
    links, said = [tree.links[0]], []
    for link in tree.links[1:]:
        kept = link if not link.fault() else _possible(link)
        links.append(kept)
        if kept is not link:
            said.append(f"{link.name}: {_phrase(link, kept)}")
    if not said:
        said.append("the masses of joined links are kept: together they are possible")
    return replace(tree, links=tuple(links), impossible="", repairs=tuple(said))


def summary_of(tree: Tree) -> str:
    """What the arm is, that it has no dynamics, or how it was repaired, in sentences."""
    if fault := tree.fault():
        return f"Moves by kinematics only: {fault}."
    said = tree.summary or f"An arm with {counted(len(tree.free), 'joint')}, from a robot file."
    return f"{said} Repaired: {'; '.join(tree.repairs)}." if tree.repairs else said


def _possible(link: Link) -> Link:
    """The nearest possible link: second moments of mass are not negative, and the mass is above 0.

    Source: the density-weighted covariance of Wensing, Kim and Slotine (2018).
    """
    sides = _sides(link)
    mass = link.mass if link.mass > 0.0 else max(_DENSITY * _FILL * float(np.prod(sides)), 1e-3)
    inertia = matrix(link.inertia)
    moments, axes = np.linalg.eigh(0.5 * np.trace(inertia) * np.eye(3) - inertia)
    if not moments.max() > 0.0:
        moments, axes = mass * sides**2 / 12.0, np.eye(3)
    elif moments.min() >= _ROUND * moments.max():
        return replace(link, mass=mass)
    spread = axes @ np.diag(np.maximum(moments, _ROUND * moments.max())) @ axes.T
    return replace(link, mass=mass, inertia=entries(np.trace(spread) * np.eye(3) - spread))


def _sides(link: Link) -> np.ndarray:
    """The sides of a box as large as the link's solids [m], roughly."""
    sides = np.full(3, _SMALLEST)
    for one in link.visuals:
        if one.kind == "mesh":
            sides = np.maximum(sides, np.ptp(unpacked(one.mesh).points, axis=0))
        else:
            sides = np.maximum(sides, one.size if len(one.size) == 3 else max(one.size))
    return sides


def _phrase(before: Link, after: Link) -> str:
    changes = [f"mass {before.mass:g} -> {after.mass:.3g} kg"] if before.mass != after.mass else []
    if before.inertia != after.inertia:
        old, new = (np.linalg.eigvalsh(matrix(link.inertia)) for link in (before, after))
        changes.append(
            "inertia " + " -> ".join("(" + ", ".join(f"{x:.3g}" for x in m) + ")" for m in (old, new)) + " kg·m²"
        )
    return ", ".join(changes)

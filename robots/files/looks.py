"""How links look: solids and meshes with their colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from assets.errors import ArmstepError, shown
from robots.files.meshes.store import MeshStore
from robots.files.values import LIKELY_MILLIMETRES, Values
from robots.files.xml import Element
from robots.model.tree import MOST_VISUALS, Link, Visual, placed

Colours = Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Looks:
    """Reads the solids of links."""

    values: Values
    meshes: MeshStore

    def visuals(self, name: str, element: Element, colours: Colours) -> tuple[Visual, ...]:
        """The solids of a link; those for collisions where no other can be drawn."""
        for tag in ("visual", "collision"):
            found: list[Visual] = []
            for one in element.all(tag):
                material = one.first("material")
                colour: tuple[float, ...] = ()
                if material is not None:
                    colour = self.colour(material) or colours.get(material.attributes.get("name", ""), ())
                geometry = one.first("geometry")
                for solid in geometry.children if geometry else ():
                    visual = Visual(solid.tag, (), placed(self.values.origin(one)), colour, name)
                    found += self._meshes(visual, solid) if solid.tag == "mesh" else self._solid(visual, solid)
                if len(found) > MOST_VISUALS:
                    raise element.refusal(f"{len(found)} solids", f"a link with at most {MOST_VISUALS}")
            if found:
                return tuple(found)
        return ()

    def _meshes(self, visual: Visual, solid: Element) -> list[Visual]:
        """The surfaces of a mesh, by number; `with_meshes` puts in their texts when all meshes are read."""
        file, scale = solid.attributes.get("filename", ""), self.values.vector(solid, "scale", (1.0, 1.0, 1.0))
        try:
            numbers = self.meshes.numbers(file, scale)
        except ArmstepError as problem:
            self.values.notes.add("missing", solid, f"mesh {shown(file)} of link {visual.name} is not drawn: {problem}")
            return []
        if (size := max(map(self.meshes.extent, numbers))) > LIKELY_MILLIMETRES:
            text = f"mesh {shown(file)} of link {visual.name} is {size:.4g} m large: are these millimetres?"
            self.values.notes.add("suspicious", solid, text)
        surfaces = ((number, self.meshes.surfaces[number].colour) for number in numbers)
        return [replace(visual, mesh=str(number), colour=visual.colour or own) for number, own in surfaces]

    def _solid(self, visual: Visual, solid: Element) -> list[Visual]:
        link = visual.name
        if solid.tag == "box":
            size = tuple(self.values.vector(solid, "size", (0.0, 0.0, 0.0)).tolist())
        elif solid.tag == "sphere":
            size = (self.values.number(solid, "radius", 0.0),)
        elif solid.tag in ("cylinder", "capsule"):
            size = (self.values.number(solid, "radius", 0.0), self.values.number(solid, "length", 0.0))
        else:
            self.values.notes.add("ignored", solid, f"geometry <{solid.tag}> of link {link}")
            return []
        if min(size) <= 0.0:
            self.values.notes.add("suspicious", solid, f"the <{solid.tag}> of link {link} has no size: it is not drawn")
            return []
        return [replace(visual, size=size)]

    def colour(self, element: Element) -> tuple[float, ...]:
        """Red, green and blue of an element's <color>; empty without one."""
        given = element.first("color")
        if given is None:
            return ()
        numbers = self.values.numbers(given, "rgba", 4, (1.0, 1.0, 1.0, 1.0))
        return tuple(min(max(number, 0.0), 1.0) for number in numbers[:3])


def with_meshes(link: Link, texts: list[str]) -> Link:
    """The link with the texts of its meshes in place of their numbers."""
    drawn = (replace(one, mesh=texts[int(one.mesh)]) if one.mesh else one for one in link.visuals)
    return replace(link, visuals=tuple(drawn))

#include "frame.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uvec4 tags;

layout(std140) uniform LinksBlock { vec4 rows[3 * 256]; } links;

uniform int only;           // draw this link alone; -1 draws all
uniform float grow;         // pixels to swell by, for outlines
uniform float push;         // metres away from the eye: ghosts lose against a solid arm in the same plane

invariant gl_Position;
out vec3 world_position;
out vec3 world_normal;
flat out uint material;
flat out uvec2 owner;       // link and part

void main() {
    int at = 3 * int(tags.x);
    vec4 p = vec4(position, 1.0);
    world_position = vec3(dot(links.rows[at], p), dot(links.rows[at + 1], p), dot(links.rows[at + 2], p));
    // Frames may be stretched along their axes (ellipsoids): normals shrink where positions grow.
    vec3 r = links.rows[at].xyz, s = links.rows[at + 1].xyz, t = links.rows[at + 2].xyz;
    vec3 n = normal / (r * r + s * s + t * t);
    world_normal = vec3(dot(r, n), dot(s, n), dot(t, n));
    material = tags.z;
    owner = tags.yw;
    vec3 away = frame.eye.w > 0.5 ? frame.forward.xyz : normalize(world_position - frame.eye.xyz);
    gl_Position = frame.clip_from_world * vec4(world_position + push * away, 1.0);
    if (grow > 0.0) {
        vec2 out_way = (frame.clip_from_world * vec4(world_normal, 0.0)).xy * frame.viewport.xy;
        gl_Position.xy += normalize(out_way + 1e-6) * grow * frame.viewport.z * 2.0 / frame.viewport.xy * gl_Position.w;
    }
    if (only >= 0 && int(tags.y) != only) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}

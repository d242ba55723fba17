#include "frame.glsl"
layout(location = 0) in vec3 position;
layout(location = 2) in uvec4 tags;
layout(std140) uniform LinksBlock { vec4 rows[3 * 256]; } links;

void main() {
    int at = 3 * int(tags.x);
    vec4 p = vec4(position, 1.0);
    vec3 world = vec3(dot(links.rows[at], p), dot(links.rows[at + 1], p), dot(links.rows[at + 2], p));
    vec4 clip = frame.shadow_from_world * vec4(world, 1.0);
    gl_Position = vec4(clip.xyz * 2.0 - 1.0, 1.0);
}

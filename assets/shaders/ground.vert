// A ring on the ground: `corner` is a direction and 0 on the inner edge or 1 on the outer one.
#include "frame.glsl"
#include "background.glsl"
layout(location = 0) in vec3 corner;
uniform vec2 middle;
uniform vec2 radii;
out vec3 world_position;
out vec3 along;

void main() {
    float radius = radii.x * (1.0 - corner.z) + radii.y * corner.z;
    world_position = vec3(middle + corner.xy * radius, frame.ground_colour.w);
    along = sight(world_position);
    gl_Position = frame.clip_from_world * vec4(world_position, 1.0);
}

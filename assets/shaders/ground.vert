#include "frame.glsl"
layout(location = 0) in vec2 corner;
uniform float reach;
out vec3 world_position;

void main() {
    world_position = vec3(frame.target.xy + corner * reach, frame.ground_colour.w);
    gl_Position = frame.clip_from_world * vec4(world_position, 1.0);
}

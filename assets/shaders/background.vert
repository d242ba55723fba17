#include "frame.glsl"
#include "background.glsl"
out vec3 along;

void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    vec4 far_point = frame.world_from_clip * vec4(corner, 1.0, 1.0);
    along = sight(far_point.xyz / far_point.w);
    gl_Position = vec4(corner, 1.0, 1.0);
}

#include "frame.glsl"
layout(location = 0) in vec3 position;
uniform float size;      // [px]
uniform float depth;     // how much nearer to the eye they are drawn [m]

void main() {
    gl_Position = frame.clip_from_world * vec4(position + depth * to_eye(position), 1.0);
    gl_Position.z -= 6e-4 * gl_Position.w;
    gl_PointSize = size + 2.0;
}

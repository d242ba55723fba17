#include "frame.glsl"
#include "display.glsl"
#include "background.glsl"
in vec2 screen;
out vec4 colour;

void main() {
    // An orthographic camera has one direction: shade by height on the screen instead.
    vec4 far_point = frame.world_from_clip * vec4(screen * 2.0 - 1.0, 1.0, 1.0);
    vec3 direction = frame.eye.w > 0.5 ? normalize(vec3(frame.forward.xy, frame.forward.z + 0.35 * (screen.y - 0.5)))
                                       : normalize(far_point.xyz / far_point.w - frame.eye.xyz);
    colour = vec4(sky(direction) + dither(), 1.0);
}

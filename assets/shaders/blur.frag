// Averages away the pattern of the occlusion pass, without crossing the edges of things.
#include "frame.glsl"
uniform sampler2D source;
uniform sampler2D depth_map;
in vec2 screen;
out vec4 colour;

float away(vec2 at) {
    vec4 p = frame.world_from_clip * vec4(vec3(at, texture(depth_map, at).r) * 2.0 - 1.0, 1.0);
    return dot(p.xyz / p.w - frame.eye.xyz, frame.forward.xyz);
}

void main() {
    vec2 pixel = 1.0 / frame.viewport.xy;
    float here = away(screen), sum = 0.0, weight = 0.0;
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++) {
            vec2 at = screen + pixel * 1.5 * vec2(i, j);
            float w = exp(-abs(away(at) - here) / (0.12 * frame.occlusion.x + 1e-6));
            sum += w * texture(source, at).r;
            weight += w;
        }
    colour = vec4(sum / max(weight, 1e-4), 0.0, 0.0, 1.0);
}

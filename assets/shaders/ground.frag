#include "frame.glsl"
#include "display.glsl"
#include "shadow.glsl"
uniform float reach;
uniform sampler2D occlusion_map;
in vec3 world_position;
out vec4 colour;

// Coverage by lines `spacing` apart, one and a bit pixels wide, gone where they would be too close to tell apart.
float lines(vec2 at, float spacing, float width) {
    vec2 p = at / spacing;
    vec2 pixel = max(fwidth(p), vec2(1e-6));
    vec2 near_line = 1.0 - clamp((abs(fract(p - 0.5) - 0.5) / pixel) - (0.5 * width - 0.5), 0.0, 1.0);
    vec2 told_apart = 1.0 - smoothstep(vec2(0.12), vec2(0.45), pixel);
    near_line *= told_apart;
    return max(near_line.x, near_line.y);
}

void main() {
    vec3 v = to_eye(world_position);
    float away = length(world_position.xy - frame.target.xy) / frame.target.w;
    // Fog: all that belongs to the ground dissolves into the sky at the horizon.
    float clear = exp(-0.045 * away * away) * smoothstep(0.0, 0.10, abs(v.z));
    float from_below = v.z < 0.0 ? 0.25 : 1.0;
    float shade = 0.0;
    if (away < 4.0) {
        shade = (1.0 - lit(world_position, vec3(0.0, 0.0, 1.0), frame.light.z)) * frame.shadow_colour.w * frame.light.w;
#ifdef OCCLUSION
        float open_sky = texture(occlusion_map, gl_FragCoord.xy / frame.viewport.xy).r;
        shade = 1.0 - (1.0 - shade) * mix(1.0, open_sky, 0.7);
#endif
        shade *= clear;
    }
    float px = frame.viewport.z;
    float fine = lines(world_position.xy, frame.grid.x, px);
    float coarse = lines(world_position.xy, frame.grid.x * 5.0, 1.4 * px);
    float grid = frame.grid.y * frame.grid_colour.w * max(0.38 * fine, 0.85 * coarse) * clear;
    float floor_seen = frame.forward.w > 0.5 ? 0.0 : 0.9 * clear;
    // Layers, bottom up: floor, grid, shadow; premultiplied.
    vec4 c = vec4(frame.ground_colour.rgb, 1.0) * floor_seen;
    c = mix(c, vec4(frame.grid_colour.rgb, 1.0), grid);
    c = mix(c, vec4(frame.shadow_colour.rgb, 1.0), shade);
    colour = (c + vec4(dither(), 0.0) * step(0.01, c.a)) * from_below;
}

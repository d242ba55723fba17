// SHADOWED: the part that the lamp's shadow can reach; the rest is spared the work.
#include "frame.glsl"
#include "display.glsl"
#include "background.glsl"
#ifdef SHADOWED
#include "shadow.glsl"
uniform sampler2D occlusion_map;
#endif
uniform float pane;      // 1: blended over what is behind, 0: opaque
in vec3 world_position;
in vec3 along;
out vec4 colour;

// Coverage by lines `spacing` apart and `width` pixels wide; gone where they would be too close to tell apart.
float lines(vec2 at, vec2 pixel, float spacing, float width) {
    vec2 p = at / spacing;
    vec2 wide = max(pixel / spacing, vec2(1e-6));
    vec2 near_line = clamp(0.5 + 0.5 * width - abs(fract(p - 0.5) - 0.5) / wide, 0.0, 1.0);
    near_line *= clamp((0.42 - wide) * 3.5, 0.0, 1.0);
    return max(near_line.x, near_line.y);
}

void main() {
    vec3 sight_line = normalize(along);
    vec2 from_stage = world_position.xy - frame.target.xy;
    // Fog: all that belongs to the ground dissolves into the sky at the horizon.
    float fog = 1.0 - min(dot(from_stage, from_stage) / (60.0 * frame.target.w * frame.target.w), 1.0);
    float clear = fog * fog * fog * min(10.0 * abs(sight_line.z), 1.0);
    vec2 pixel = fwidth(world_position.xy);
    float px = frame.viewport.z;
    float fine = lines(world_position.xy, pixel, frame.grid.x, px);
    float coarse = lines(world_position.xy, pixel, frame.grid.x * 5.0, 1.3 * px);
    float grid = frame.grid.y * frame.grid_colour.w * max(0.32 * fine, 0.8 * coarse) * clear;
    // Layers, bottom up: floor, grid, shadow; premultiplied.
    // The lamp's pool of light around the stage.
    float pool = 1.0 / (1.0 + dot(from_stage, from_stage) / (1.6 * frame.target.w * frame.target.w));
    vec4 c = vec4(mix(frame.ground_colour.rgb, frame.pool_colour.rgb, pool * pool), 1.0) * (frame.forward.w > 0.5 ? 0.0 : clear);
    c = mix(c, vec4(frame.grid_colour.rgb, 1.0), grid);
#ifdef SHADOWED
    float open_sky = 1.0;
#ifdef OCCLUSION
    open_sky = mix(1.0, texture(occlusion_map, gl_FragCoord.xy / frame.viewport.xy).r, 0.7);
#endif
    float shade = (1.0 - lit(world_position, vec3(0.0, 0.0, 1.0), frame.light.z)) * frame.shadow_colour.w;
    c = mix(c, vec4(frame.shadow_colour.rgb, 1.0), (1.0 - (1.0 - shade) * open_sky) * clear);
#endif
    // Seen from below it is hardly there.
    c *= sight_line.z > 0.0 ? 0.35 : 1.0;
    colour = pane > 0.5 ? c : vec4(c.rgb + (1.0 - c.a) * sky_below(sight_line.z) + dither(), 1.0);
}

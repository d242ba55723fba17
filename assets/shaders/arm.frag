// GHOST: a transparent arm, which no shadow falls on.
#include "frame.glsl"
#include "display.glsl"
#include "shadow.glsl"
#include "studio.glsl"

layout(std140) uniform MaterialsBlock {
    vec4 colour[8];      // linear
    vec4 finish[8];      // roughness, metalness
} materials;

uniform vec4 tint;          // linear colour; w: how much of it
uniform float opacity;
uniform sampler2D occlusion_map;

in vec3 world_position;
in vec3 world_normal;
flat in uint material;
out vec4 colour;

void main() {
    vec3 n = normalize(world_normal);
    vec3 v = to_eye(world_position);
    // A material above 32767 is a colour of its own, 5 bits each of red, green and blue, with the body's finish.
    bool coloured = (material & 0x8000u) != 0u;
    vec3 own = vec3(uvec3(material >> 10, material >> 5, material) & 31u) / 31.0;
    vec3 base = coloured ? pow(own, vec3(2.2)) : materials.colour[coloured ? 0u : material].rgb;
    vec3 albedo = mix(base, tint.rgb, tint.w);
    vec2 finish = materials.finish[coloured ? 0u : material].xy;
    float shadow = 1.0, open_sky = 1.0;
#ifndef GHOST
    float facing = dot(n, frame.light.xyz);
    if (facing > 0.0) shadow = mix(1.0, lit(world_position, n, facing), frame.light.w);
#ifdef OCCLUSION
    open_sky = texture(occlusion_map, gl_FragCoord.xy / frame.viewport.xy).r;
#endif
#endif
    vec3 light = surface(n, v, albedo, finish.x, finish.y * (1.0 - tint.w), shadow, open_sky);
    colour = vec4(srgb_from_linear(toned(light)) + dither(), 1.0) * opacity;
}

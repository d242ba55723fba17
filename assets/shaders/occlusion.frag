// How much of the sky a point sees, judged from the depths around it on the screen.
#include "frame.glsl"
uniform sampler2D depth_map;
in vec2 screen;
out vec4 colour;

const int COUNT = 20;

// The point in the middle of the pixel at a place: its depth belongs there, and a plane hides no part of its own sky.
vec3 in_world(vec2 at) {
    at = (floor(at * frame.viewport.xy) + 0.5) / frame.viewport.xy;
    vec4 p = frame.world_from_clip * vec4(vec3(at, texture(depth_map, at).r) * 2.0 - 1.0, 1.0);
    return p.xyz / p.w;
}

void main() {
    if (texture(depth_map, screen).r >= 1.0) { colour = vec4(1.0); return; }
    vec2 pixel = 1.0 / frame.viewport.xy;
    vec3 p = in_world(screen);
    // The normal from whichever neighbours lie on the same surface.
    vec3 right = in_world(screen + vec2(pixel.x, 0.0)) - p, left = p - in_world(screen - vec2(pixel.x, 0.0));
    vec3 up = in_world(screen + vec2(0.0, pixel.y)) - p, down = p - in_world(screen - vec2(0.0, pixel.y));
    vec3 n = normalize(cross(dot(right, right) < dot(left, left) ? right : left, dot(up, up) < dot(down, down) ? up : down));
    float radius = frame.occlusion.x;
    vec4 away = frame.clip_from_world * vec4(p, 1.0);
    vec2 reach = vec2(length(vec3(frame.clip_from_view[0][0], 0.0, 0.0)), frame.clip_from_view[1][1]) * 0.5 * radius / away.w;
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float hidden = 0.0;
    for (int i = 0; i < COUNT; i++) {
        float r = sqrt((float(i) + 0.5) / float(COUNT));
        float a = float(i) * 2.39996323 + turn;
        vec3 d = in_world(screen + reach * r * r * vec2(cos(a), sin(a))) - p;
        float dd = dot(d, d);
        float near_by = clamp(1.0 - dd / (radius * radius), 0.0, 1.0);
        hidden += max(dot(d, n) * inversesqrt(dd + 1e-12) - 0.06, 0.0) * near_by;
    }
    float open_sky = clamp(1.0 - 2.1 * hidden / float(COUNT), 0.0, 1.0);
    colour = vec4(open_sky, 0.0, 0.0, 1.0);
}

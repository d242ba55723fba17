// A line of constant width on the screen: each point is given twice, once for either edge.
#include "frame.glsl"
layout(location = 0) in vec3 before;
layout(location = 1) in vec3 here;
layout(location = 2) in vec3 after;
layout(location = 3) in vec4 point_colour;
layout(location = 4) in vec3 trim;      // side (-1, 1), width [logical px], length along the line [m]

out vec4 ribbon_colour;
out vec2 edge;                           // px from the middle, half width
noperspective out float along;

const float NEAR = 1e-4;

// b, or where the line from b to a comes in front of the eye.
vec4 in_front(vec4 a, vec4 b) {
    return b.w < NEAR ? mix(b, a, clamp((NEAR - b.w) / (a.w - b.w + 1e-9), 0.0, 1.0)) : b;
}

// The screen position [px] of b, pulled in front of the eye along the line to a.
vec2 on_screen(vec4 a, vec4 b) {
    b = in_front(a, b);
    return b.xy / max(b.w, NEAR) * 0.5 * frame.viewport.xy;
}

void main() {
    vec4 c = frame.clip_from_world * vec4(here, 1.0);
    vec4 b = frame.clip_from_world * vec4(before, 1.0);
    vec4 a = frame.clip_from_world * vec4(after, 1.0);
    // An edge that ended behind the eye would be as wide as the picture.
    c = in_front(a.w > b.w ? a : b, c);
    vec2 middle = on_screen(c, c);
    vec2 way_in = middle - on_screen(c, b), way_out = on_screen(c, a) - middle;
    float length_in = length(way_in), length_out = length(way_out);
    way_in = length_in > 1e-4 ? way_in / length_in : (length_out > 1e-4 ? way_out / length_out : vec2(1.0, 0.0));
    way_out = length_out > 1e-4 ? way_out / length_out : way_in;
    vec2 way = way_in + way_out;
    way = dot(way, way) > 1e-4 ? normalize(way) : way_in;
    float mitre = min(1.0 / max(dot(way, way_in), 1e-3), 1.8);
    float half_width = 0.5 * trim.y * frame.viewport.z;
    float reach = half_width + 1.0;
    vec2 offset = vec2(-way.y, way.x) * trim.x * reach * mitre;
    gl_Position = c;
    gl_Position.xy += offset * 2.0 / frame.viewport.xy * c.w;
    // In front of the surface that it lies on.
    gl_Position.z -= 4e-4 * c.w;
    ribbon_colour = point_colour;
    edge = vec2(trim.x * reach, half_width);
    along = trim.z * frame.viewport.w / frame.viewport.z;
}

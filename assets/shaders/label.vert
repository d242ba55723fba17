#include "frame.glsl"
layout(location = 0) in vec2 place;     // [px] from the lower left corner of the picture
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 ink;
out vec2 at;
flat out vec4 text_colour;

void main() {
    at = texel;
    text_colour = ink;
    gl_Position = vec4(place / frame.viewport.xy * 2.0 - 1.0, -0.999, 1.0);
}

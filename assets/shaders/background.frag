#include "frame.glsl"
#include "display.glsl"
#include "background.glsl"
in vec3 along;
out vec4 colour;

void main() { colour = vec4(sky(along) + dither(), 1.0); }

uniform float size;
uniform vec4 dot_colour;
uniform vec3 rim;
out vec4 colour;

void main() {
    float r = length(gl_PointCoord - 0.5) * (size + 2.0);
    float cover = clamp(0.5 * size + 0.5 - r, 0.0, 1.0);
    // A thin rim in the halo's colour keeps neighbours apart.
    float inner = clamp(0.5 * size - max(1.0, 0.12 * size) + 0.5 - r, 0.0, 1.0);
    float alpha = cover * dot_colour.a;
    if (alpha < 0.003) discard;
    colour = vec4(mix(rim, dot_colour.rgb, inner) * alpha, alpha);
}

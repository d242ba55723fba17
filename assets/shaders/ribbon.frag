uniform float dash;      // length of a dash and its gap [logical px]; 0 is solid
uniform float strength;
uniform float lift;      // towards white
in vec4 ribbon_colour;
in vec2 edge;
noperspective in float along;
out vec4 colour;

void main() {
    float cover = clamp(edge.y + 0.5 - abs(edge.x), 0.0, 1.0) * min(1.0, 2.0 * edge.y);
    if (dash > 0.0) {
        float p = fract(along / dash);
        float soft = max(fwidth(along / dash), 1e-4);
        cover *= clamp((0.28 - abs(p - 0.5)) / soft + 0.5, 0.0, 1.0);
    }
    float alpha = ribbon_colour.a * cover * strength;
    if (alpha < 0.003) discard;
    colour = vec4(mix(ribbon_colour.rgb, vec3(1.0), lift) * alpha, alpha);
}

uniform vec3 strokes;    // lengths of a dash's strokes [logical px]; none is solid
uniform vec3 gaps;       // of the gap after each
uniform float strength;
uniform float lift;      // towards white
in vec4 ribbon_colour;
in vec2 edge;
noperspective in float along;
out vec4 colour;

void main() {
    float cover = clamp(edge.y + 0.5 - abs(edge.x), 0.0, 1.0) * min(1.0, 2.0 * edge.y);
    float period = dot(strokes + gaps, vec3(1.0));
    if (period > 0.0) {
        // The line begins with half a gap; before the next period begins, its first stroke is near.
        float p = mod(along - 0.5 * gaps.x, period), inside = p - period, start = 0.0;
        for (int k = 0; k < 3; k++) {
            if (strokes[k] > 0.0) inside = max(inside, min(p - start, start + strokes[k] - p));
            start += strokes[k] + gaps[k];
        }
        cover *= clamp(inside / max(fwidth(along), 1e-3) + 0.5, 0.0, 1.0);
    }
    float alpha = ribbon_colour.a * cover * strength;
    if (alpha < 0.003) discard;
    colour = vec4(mix(ribbon_colour.rgb, vec3(1.0), lift) * alpha, alpha);
}

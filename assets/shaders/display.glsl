// From light to what a display shows.

// An ordered pattern that hides the steps of 8-bit gradients: -0.5 to 0.5 of a step.
vec3 dither() {
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return vec3((noise - 0.5) / 255.0);
}

vec3 srgb_from_linear(vec3 c) {
    return mix(12.92 * c, 1.055 * pow(max(c, vec3(1e-5)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

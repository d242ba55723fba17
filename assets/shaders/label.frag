uniform sampler2D atlas;     // red: letter, green: letter with halo
uniform vec3 halo;
in vec2 at;
flat in vec4 text_colour;
out vec4 colour;

void main() {
    vec2 cover = texture(atlas, at).rg * text_colour.a;
    float alpha = max(cover.r, 0.85 * cover.g);
    if (alpha < 0.003) discard;
    colour = vec4(mix(halo * alpha, text_colour.rgb * alpha, cover.r / max(alpha, 1e-3)), alpha);
}

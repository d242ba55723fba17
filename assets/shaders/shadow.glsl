// Share of the lamp's light that reaches a point. SOFTNESS: 0 four taps, 1 nine wide taps, 2 contact hardening.
uniform sampler2DShadow shadow_map;
uniform sampler2D shadow_depth;

vec2 spiral(int i, int count) {
    float r = sqrt((float(i) + 0.5) / float(count));
    float a = float(i) * 2.39996323;
    return r * vec2(cos(a), sin(a));
}

float lit(vec3 position, vec3 normal, float facing) {
    float texel = frame.grid.z;
    // Step off the surface, the more the flatter the light falls on it: no acne, no gap at the feet.
    vec3 offset = normal * texel * (SOFTNESS == 2 ? 2.2 : 1.8) * (1.2 - 0.9 * clamp(facing, 0.0, 1.0));
    vec3 at = (frame.shadow_from_world * vec4(position + offset, 1.0)).xyz;
    if (any(greaterThan(abs(at.xy - 0.5), vec2(0.499))) || at.z > 1.0) return 1.0;
    vec2 size = vec2(textureSize(shadow_map, 0));
#if SOFTNESS == 0
    vec2 d = 0.75 / size;
    return 0.25 * (texture(shadow_map, vec3(at.xy + vec2(-d.x, -d.y), at.z)) + texture(shadow_map, vec3(at.xy + vec2(d.x, -d.y), at.z))
                 + texture(shadow_map, vec3(at.xy + vec2(-d.x, d.y), at.z)) + texture(shadow_map, vec3(at.xy + d, at.z)));
#elif SOFTNESS == 1
    vec2 d = 1.6 / size;
    float sum = 0.0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) sum += texture(shadow_map, vec3(at.xy + d * vec2(i, j), at.z));
    return sum / 9.0;
#else
    // A lamp of finite size: the penumbra widens with the distance to what casts the shadow.
    float reach = 0.012;
    float blockers = 0.0, depth = 0.0;
    for (int i = 0; i < 12; i++) {
        float z = texture(shadow_depth, at.xy + reach * spiral(i, 12)).r;
        if (z < at.z - 0.0005) { blockers += 1.0; depth += z; }
    }
    if (blockers < 0.5) return 1.0;
    float gap = at.z - depth / blockers;
    float width = clamp(gap * 0.055, 1.3 / size.x, reach);
    float sum = 0.0;
    for (int i = 0; i < 28; i++) sum += texture(shadow_map, vec3(at.xy + width * spiral(i, 28), at.z));
    return sum / 28.0;
#endif
}

// Light on a surface: one lamp, and a photographer's studio all around, written as a formula instead of an image.

// Radiance that arrives from direction d, blurred as a surface of this roughness sees it.
vec3 studio(vec3 d, float roughness) {
    float blur = 0.06 + 0.9 * roughness;
    vec3 base = mix(frame.floor_colour.rgb, frame.sky_colour.rgb * 0.82, smoothstep(-blur, blur, d.z));
    // Soft boxes are far brighter than the room, and a rough surface spreads their light thin.
    float gain = 1.0 / (0.35 + 2.2 * blur);
    // A large soft box overhead, a strip on the lamp's side, a dim one behind.
    float top = smoothstep(0.72 - 0.5 * blur, 0.80 + 0.5 * blur, dot(d, normalize(vec3(0.15, -0.35, 0.92))));
    vec2 side = normalize(frame.light.xy + vec2(1e-4));
    float strip = smoothstep(0.80 - 0.6 * blur, 0.90 + 0.5 * blur, dot(normalize(d.xy + vec2(1e-4)), side))
                * smoothstep(-0.1 - 0.3 * blur, 0.15 + 0.3 * blur, d.z) * (1.0 - smoothstep(0.55, 0.9 + 0.3 * blur, d.z));
    float rim = smoothstep(0.75 - 0.6 * blur, 0.95 + 0.5 * blur, dot(d, normalize(vec3(-side * 0.8, 0.35))));
    return base + frame.sky_colour.rgb * gain * (2.6 * top + 2.2 * strip + 1.0 * rim);
}

// Light that a matt surface with this normal gathers from the studio.
vec3 gathered(vec3 n) {
    float up = 0.5 + 0.5 * n.z;
    vec3 base = mix(frame.floor_colour.rgb * 0.75, frame.sky_colour.rgb, up * up * (3.0 - 2.0 * up));
    vec2 side = normalize(frame.light.xy + vec2(1e-4));
    return base * (0.9 + 0.12 * dot(n.xy, side));
}

// Reflected share of the studio: a fit to the integral of the GGX lobe (Karis 2014, "Physically based shading on mobile").
vec3 reflected(vec3 f0, float roughness, float facing) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * facing)) * r.x + r.y;
    vec2 scale = vec2(-1.04, 1.04) * a + r.zw;
    return f0 * scale.x + scale.y;
}

// Highlights run softly into white while mid tones keep their colour.
vec3 toned(vec3 c) {
    c *= frame.key_colour.w;
    vec3 over = max(c - 0.7, 0.0);
    return min(c, vec3(0.7)) + 0.3 * over / (over + 0.3);
}

// Linear light from a surface towards the eye. shadow, occlusion: 1 is unshadowed.
vec3 surface(vec3 n, vec3 v, vec3 albedo, float roughness, float metalness, float shadow, float occlusion) {
    vec3 l = frame.light.xyz;
    float nv = max(dot(n, v), 1e-3);
    float nl = max(dot(n, l), 0.0);
    vec3 f0 = mix(vec3(0.04), albedo, metalness);
    vec3 diffuse = albedo * (1.0 - metalness);
    vec3 ambient = diffuse * gathered(n) * occlusion;
    vec3 mirror = studio(reflect(-v, n), roughness) * reflected(f0, roughness, nv) * mix(occlusion, 1.0, 0.35);
    vec3 h = normalize(l + v);
    float a = roughness * roughness, a2 = a * a;
    float nh = max(dot(n, h), 0.0), d = nh * nh * (a2 - 1.0) + 1.0;
    // GGX with the height-correlated masking term in its fast form.
    float spread = a2 / (3.14159265 * d * d);
    float masking = 0.5 / mix(2.0 * nl * nv, nl + nv, a + 1e-4);
    vec3 fresnel = f0 + (1.0 - f0) * exp2(-8.66 * max(dot(l, h), 0.0));
    vec3 lamp = frame.key_colour.rgb * nl * shadow * (diffuse / 3.14159265 * (1.0 - fresnel) + fresnel * spread * masking);
    // The lamp is no point: narrow corners lose some of it as well.
    lamp *= mix(1.0, occlusion, 0.4);
    return ambient * 0.56 + mirror + lamp;
}

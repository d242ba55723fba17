// The sky behind everything, as seen along a unit direction.
vec3 sky(vec3 direction) {
    float up = direction.z;
    vec3 above = mix(frame.horizon.rgb, frame.zenith.rgb, smoothstep(0.0, 0.75, up));
    return mix(above, frame.nadir.rgb, smoothstep(0.0, 0.75, -up));
}

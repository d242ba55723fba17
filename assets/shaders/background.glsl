// The sky behind everything.

// A vector along the line of sight to a point; it may be interpolated. A parallel projection has one direction for the whole
// picture: there the sky is spread over its height instead.
vec3 sight(vec3 point) {
    vec3 up = vec3(frame.view_from_world[0][1], frame.view_from_world[1][1], frame.view_from_world[2][1]);
    vec3 away = point - frame.eye.xyz;
    return frame.eye.w > 0.5 ? frame.forward.xyz + 0.17 * up * dot(away, up) / frame.grid.w : away;
}

// The sky as seen downwards, for the height of a unit vector along the line of sight.
vec3 sky_below(float up) { return mix(frame.horizon.rgb, frame.nadir.rgb, smoothstep(0.0, 0.75, -up)); }

vec3 sky(vec3 along) {
    float up = normalize(along).z;
    return up > 0.0 ? mix(frame.horizon.rgb, frame.zenith.rgb, smoothstep(0.0, 0.75, up)) : sky_below(up);
}

// What every shader knows about the frame; filled by scene/gl/frame.py.
layout(std140) uniform FrameBlock {
    mat4 clip_from_world;
    mat4 world_from_clip;
    mat4 shadow_from_world;
    mat4 clip_from_view;
    mat4 view_from_world;
    vec4 eye;              // position; w: 1 when orthographic
    vec4 forward;          // unit vector away from the eye; w: 1 when the background is transparent
    vec4 light;            // unit vector to the lamp; w: strength of its shadow
    vec4 key_colour;       // linear; w: exposure
    vec4 sky_colour;       // linear
    vec4 floor_colour;     // linear
    vec4 zenith;           // sRGB
    vec4 horizon;
    vec4 nadir;
    vec4 ground_colour;    // sRGB; w: height
    vec4 grid_colour;      // sRGB; w: strength
    vec4 shadow_colour;    // sRGB; w: strength
    vec4 viewport;         // width, height [px], pixels per logical pixel, pixels per metre at the target
    vec4 target;           // what is looked at; w: size of what is shown [m]
    vec4 grid;             // spacing of fine lines [m], lines drawn (1) or not (0), shadow texel [m], half the height of what is shown [m]
    vec4 occlusion;        // radius [m], 0, 0, 0
    vec4 pool_colour;      // sRGB: the ground in the middle of the stage
} frame;

// The direction from a point to the eye.
vec3 to_eye(vec3 position) {
    return frame.eye.w > 0.5 ? -frame.forward.xyz : normalize(frame.eye.xyz - position);
}

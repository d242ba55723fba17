// Smooths stair steps where there is no multisampling: finds edges by contrast (FIND 1) and blends along them (FIND 0).
uniform sampler2D source;
in vec2 screen;
out vec4 colour;

float luma(vec4 c) { return dot(c.rgb, vec3(0.30, 0.59, 0.11)) + 0.25 * c.a; }

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(source, 0) - 1;
    vec4 middle = texelFetch(source, at, 0);
    float m = luma(middle);
    float n = luma(texelFetch(source, min(at + ivec2(0, 1), last), 0)), s = luma(texelFetch(source, max(at - ivec2(0, 1), ivec2(0)), 0));
    float e = luma(texelFetch(source, min(at + ivec2(1, 0), last), 0)), w = luma(texelFetch(source, max(at - ivec2(1, 0), ivec2(0)), 0));
    float highest = max(m, max(max(n, s), max(e, w))), lowest = min(m, min(min(n, s), min(e, w)));
#if FIND
    if (highest - lowest < max(0.035, 0.10 * highest)) discard;
    colour = middle;
#else
    vec2 size = vec2(last + 1);
    float ne = luma(texture(source, (gl_FragCoord.xy + vec2(0.5, 0.5)) / size)), nw = luma(texture(source, (gl_FragCoord.xy + vec2(-0.5, 0.5)) / size));
    float se = luma(texture(source, (gl_FragCoord.xy + vec2(0.5, -0.5)) / size)), sw = luma(texture(source, (gl_FragCoord.xy + vec2(-0.5, -0.5)) / size));
    // Along the edge: across the gradient.
    vec2 way = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    float weakest = 1.0 / (min(abs(way.x), abs(way.y)) + 0.02);
    way = clamp(way * weakest, -6.0, 6.0) / size;
    vec2 here = gl_FragCoord.xy / size;
    vec4 close_by = 0.5 * (texture(source, here - way / 6.0) + texture(source, here + way / 6.0));
    vec4 wide = 0.5 * close_by + 0.25 * (texture(source, here - 0.5 * way) + texture(source, here + 0.5 * way));
    float l = luma(wide);
    colour = l < lowest || l > highest ? close_by : wide;
#endif
}

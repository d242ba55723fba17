// What is under the cursor: actor, link and part.
uniform uint actor;
flat in uvec2 owner;
out uvec4 identity;
void main() { identity = uvec4(actor + 1u, owner.x, owner.y, 0u); }

uniform vec4 flat_colour;    // premultiplied
out vec4 colour;
void main() { colour = flat_colour; }

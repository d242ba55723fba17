/* What a person would write by hand for one method and one robot: eq. (6) of Tenreiro Machado & Galhano (1994) without
 * torques, everything that does not change computed once. The benchmark adds the method's stages after this head.
 */
#include <math.h>

typedef struct {
    double b, d, g1, g2, m11, m22;
} arm;

static arm constants(const double *p)
{
    const double m1 = p[0], m2 = p[1], r1 = p[2], r2 = p[3], J1 = p[4], J2 = p[5], g = p[6];
    const double d = m2 * r2 * r2;
    arm a = {m2 * r1 * r2, d, g * (m1 + m2) * r1, g * m2 * r2, (m1 + m2) * r1 * r1 + d + J1, d + J2};
    return a;
}

static inline void slope(const arm *a, double q1, double q2, double v1, double v2, double *a1, double *a2)
{
    const double bc = a->b * cos(q2), bs = a->b * sin(q2), g12 = a->g2 * cos(q1 + q2);
    const double t1 = bs * v2 * (v2 + 2 * v1) - a->g1 * cos(q1) - g12, t2 = -bs * v1 * v1 - g12;
    const double m11 = a->m11 + 2 * bc, m12 = a->d + bc;
    const double scale = 1 / (m11 * a->m22 - m12 * m12);
    *a1 = (a->m22 * t1 - m12 * t2) * scale;
    *a2 = (m11 * t2 - m12 * t1) * scale;
}

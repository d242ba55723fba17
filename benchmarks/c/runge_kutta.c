/* The program that the kernels are compared with: any explicit tableau, the right-hand side through a pointer.
 *
 * rr_rhs is eq. (6) of Tenreiro Machado & Galhano (1994) without torques; params = m1, m2, r1, r2, J1, J2, g.
 */
#include <math.h>

typedef void (*rhs_function)(double t, const double *y, const double *params, double *dy);

void rr_rhs(double t, const double *y, const double *p, double *dy)
{
    const double m1 = p[0], m2 = p[1], r1 = p[2], r2 = p[3], J1 = p[4], J2 = p[5], g = p[6];
    const double c1 = cos(y[0]), c2 = cos(y[1]), s2 = sin(y[1]), c12 = cos(y[0] + y[1]);
    const double d = m2 * r2 * r2, k = m2 * r1 * r2;
    const double a11 = (m1 + m2) * r1 * r1 + d + 2 * k * c2 + J1, a12 = d + k * c2, a22 = d + J2;
    const double b1 = k * s2 * y[3] * (y[3] + 2 * y[2]) - g * ((m1 + m2) * r1 * c1 + m2 * r2 * c12);
    const double b2 = -k * s2 * y[2] * y[2] - g * m2 * r2 * c12;
    const double det = a11 * a22 - a12 * a12;
    (void)t;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (a22 * b1 - a12 * b2) / det;
    dy[3] = (a11 * b2 - a12 * b1) / det;
}

/* n steps of h from y; every state is kept in out (n, d). k is (s, d), work is (d). */
void integrate(rhs_function rhs, const double *params, int s, const double *A, const double *b, const double *c, double t0,
               double h, long n, int d, double *y, double *k, double *work, double *out_t, double *out)
{
    for (long step = 0; step < n; step++) {
        const double t = t0 + step * h;
        for (int i = 0; i < s; i++) {
            for (int m = 0; m < d; m++) {
                double sum = 0;
                for (int j = 0; j < i; j++)
                    sum += A[i * s + j] * k[j * d + m];
                work[m] = y[m] + h * sum;
            }
            rhs(t + c[i] * h, work, params, k + i * d);
        }
        for (int m = 0; m < d; m++) {
            double sum = 0;
            for (int i = 0; i < s; i++)
                sum += b[i] * k[i * d + m];
            y[m] += h * sum;
            out[step * d + m] = y[m];
        }
        out_t[step] = t0 + (step + 1) * h;
    }
}

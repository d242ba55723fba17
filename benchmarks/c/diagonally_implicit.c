/* A diagonally implicit Runge-Kutta method with a fixed step on the flexible beam, as a C programmer would write it: a
 * generic tableau, right-hand side and Jacobian through pointers, one factorisation in a step, and simplified Newton
 * iteration for one stage after the other, stopped by the rate at which it converges. For comparison only.
 */
#include <math.h>
#include <string.h>

typedef void (*rhs_function)(double t, const double *y, const double *params, double *out);

enum { N = 9 };

/* q'' = b sin(q1) + A q; params is b (9) and A (9, 9). */
void beam_rhs(double t, const double *y, const double *p, double *dy)
{
    const double push = sin(y[0]);
    (void)t;
    for (int i = 0; i < N; i++) {
        double sum = p[i] * push;
        for (int j = 0; j < N; j++)
            sum += p[N + i * N + j] * y[j];
        dy[i] = y[N + i];
        dy[N + i] = sum;
    }
}

void beam_jacobian(double t, const double *y, const double *p, double *J)
{
    const double slope = cos(y[0]);
    (void)t;
    memset(J, 0, 4 * N * N * sizeof *J);
    for (int i = 0; i < N; i++) {
        J[i * 2 * N + N + i] = 1;
        for (int j = 0; j < N; j++)
            J[(N + i) * 2 * N + j] = p[N + i * N + j];
        J[(N + i) * 2 * N] += p[i] * slope;
    }
}

/* LU factors of rows that are divided by their largest entries; returns 0 for a singular matrix. */
static int factorise(int n, double *a, int *pivots, double *scales)
{
    for (int i = 0; i < n; i++) {
        double largest = 0;
        for (int j = 0; j < n; j++)
            largest = fmax(largest, fabs(a[i * n + j]));
        if (!(largest > 0))
            return 0;
        scales[i] = largest;
        for (int j = 0; j < n; j++)
            a[i * n + j] /= largest;
    }
    for (int k = 0; k < n; k++) {
        int row = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[row * n + k]))
                row = i;
        pivots[k] = row;
        if (a[row * n + k] == 0)
            return 0;
        if (row != k)
            for (int j = 0; j < n; j++) {
                const double kept = a[k * n + j];
                a[k * n + j] = a[row * n + j];
                a[row * n + j] = kept;
            }
        for (int i = k + 1; i < n; i++)
            if (a[i * n + k] != 0) {
                const double ratio = a[i * n + k] /= a[k * n + k];
                for (int j = k + 1; j < n; j++)
                    a[i * n + j] -= ratio * a[k * n + j];
            }
    }
    return 1;
}

static void solve(int n, const double *lu, const int *pivots, const double *scales, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] /= scales[i];
    for (int k = 0; k < n; k++) {
        const double kept = x[k];
        x[k] = x[pivots[k]];
        x[pivots[k]] = kept;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            x[i] -= lu[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= lu[i * n + j] * x[j];
        x[i] /= lu[i * n + i];
    }
}

/* So many steps from y; every state goes to out (steps, d), and `iterations` is counted. Slopes are (s + 1, d), matrices
 * (2, d, d), vectors (6, d). Returns 0 where Newton's iteration fails. */
int integrate(rhs_function rhs, rhs_function jacobian, const double *params, int s, const double *A, const double *c,
              const double *e, double t0, double h, long steps, double tolerance, int most, int d, double *y,
              double *slopes, double *matrices, double *vectors, int *pivots, double *out, long *iterations)
{
    double *J = matrices, *M = matrices + d * d;
    double *z = vectors, *known = z + d, *correction = known + d, *state = correction + d, *scales = state + d;
    double *error = scales + d;
    const int explicit = A[0] == 0;
    const double g = h * A[s * s - 1];
    for (long step = 0; step < steps; step++) {
        const double t = t0 + step * h;
        rhs(t, y, params, slopes + s * d);
        jacobian(t, y, params, J);
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++)
                M[i * d + j] = -g * J[i * d + j];
            M[i * d + i] += 1;
        }
        if (!factorise(d, M, pivots, scales))
            return 0;
        memcpy(slopes, slopes + s * d, d * sizeof *y);
        for (int i = explicit; i < s; i++) {
            const double *near = slopes + (i > 0 ? i - 1 : s) * d;
            double before = INFINITY;
            int converged = 0;
            for (int j = 0; j < d; j++) {
                double sum = 0;
                for (int l = 0; l < i; l++)
                    sum += A[i * s + l] * slopes[l * d + j];
                known[j] = h * sum;
                z[j] = known[j] + g * near[j];
            }
            for (int turn = 0; turn < most && !converged; turn++) {
                double size = 0;
                for (int j = 0; j < d; j++)
                    state[j] = y[j] + z[j];
                rhs(t + c[i] * h, state, params, slopes + i * d);
                ++*iterations;
                for (int j = 0; j < d; j++)
                    correction[j] = known[j] + g * slopes[i * d + j] - z[j];
                solve(d, M, pivots, scales, correction);
                for (int j = 0; j < d; j++) {
                    const double part = correction[j] / (1 + fabs(y[j]));
                    z[j] += correction[j];
                    size += part * part;
                }
                size = sqrt(size / d) / tolerance;
                const double rate = size / before;
                converged = size <= 1e-3 || (turn > 0 && rate < 1 && rate / (1 - rate) * size <= 1);
                converged = converged || (rate >= 1 && size * tolerance <= 1e-13);
                before = size;
            }
            if (!converged)
                return 0;
            for (int j = 0; j < d; j++)
                slopes[i * d + j] = (z[j] - known[j]) / g;
        }
        for (int j = 0; j < d; j++) {
            double sum = 0;
            for (int i = 0; i < s; i++)
                sum += e[i] * slopes[i * d + j];
            error[j] = h * sum;
            y[j] += z[j];
        }
        solve(d, M, pivots, scales, error);
        memcpy(out + step * d, y, d * sizeof *y);
    }
    return 1;
}

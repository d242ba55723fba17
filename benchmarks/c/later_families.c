/* Steps of the later families as a C programmer would write them: right-hand side and Jacobian through pointers, every
 * state kept. Fully implicit Runge-Kutta methods (also with more evaluations than unknowns), generalized-alpha,
 * extrapolation and a Munthe-Kaas method with a fixed step, BDF of variable order and step. For comparison only.
 */
#include "diagonally_implicit.c"

typedef void (*jacobian_function)(double t, const double *y, const double *params, double *J);

enum { GOES_ON = -1, FAILED, CONVERGED };

/* Whether Newton's iteration with one Jacobian has ended, by the size of its correction in units of the tolerance. */
static int verdict(double size, double before, double tolerance)
{
    if (!isfinite(size))
        return FAILED;
    if (size <= 1e-3)
        return CONVERGED;
    if (before == INFINITY)
        return GOES_ON;
    const double rate = size / before;
    if (rate < 1)
        return rate / (1 - rate) * size <= 1 ? CONVERGED : GOES_ON;
    return size * tolerance <= 1e-13 ? CONVERGED : FAILED;
}

/* s unknowns, m evaluations: spread (m, s) and gather (s, m), A = gather spread, weights of the unknowns at the end.
 * Without `wide` the evaluations are at the unknowns. Slopes are (m + 1, d), memory has room for what it names. */
int implicit(rhs_function rhs, jacobian_function jacobian, const double *params, int s, int m, int wide, const double *c,
             const double *A, const double *spread, const double *gather, const double *end, double t0, double h,
             long steps, double tolerance, int most, int d, double *y, double *slopes, double *memory, int *pivots,
             double *out)
{
    const int n = s * d;
    double *J = memory, *N = J + d * d, *scales = N + n * n, *residual = scales + n, *z = residual + n, *work = z + n;
    for (long step = 0; step < steps; step++) {
        const double t = t0 + step * h;
        double before = INFINITY;
        int state = GOES_ON;
        rhs(t, y, params, slopes + m * d);
        jacobian(t, y, params, J);
        for (int a = 0; a < s; a++)
            for (int b = 0; b < s; b++)
                for (int i = 0; i < d; i++)
                    for (int j = 0; j < d; j++)
                        N[(a * d + i) * n + b * d + j] = -h * A[a * s + b] * J[i * d + j];
        for (int i = 0; i < n; i++)
            N[i * n + i] += 1;
        if (!factorise(n, N, pivots, scales))
            return 0;
        memset(z, 0, n * sizeof *z);
        for (int turn = 0; turn < most && state == GOES_ON; turn++) {
            double size = 0;
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < d; j++) {
                    double sum = 0;
                    if (wide)
                        for (int l = 0; l < s; l++)
                            sum += spread[i * s + l] * z[l * d + j];
                    else
                        sum = z[i * d + j];
                    work[j] = y[j] + sum;
                }
                rhs(t + c[i] * h, work, params, slopes + i * d);
            }
            for (int i = 0; i < s; i++)
                for (int j = 0; j < d; j++) {
                    double sum = 0;
                    for (int l = 0; l < m; l++)
                        sum += gather[i * m + l] * slopes[l * d + j];
                    residual[i * d + j] = h * sum - z[i * d + j];
                }
            solve(n, N, pivots, scales, residual);
            for (int i = 0; i < s; i++)
                for (int j = 0; j < d; j++) {
                    const double part = residual[i * d + j] / (1 + fabs(y[j]));
                    z[i * d + j] += residual[i * d + j];
                    size += part * part;
                }
            size = sqrt(size / n) / tolerance;
            state = verdict(size, before, tolerance);
            before = size;
        }
        if (state != CONVERGED)
            return 0;
        for (int j = 0; j < d; j++)
            for (int i = 0; i < s; i++)
                y[j] += end[i] * z[i * d + j];
        memcpy(out + step * d, y, d * sizeof *y);
    }
    return 1;
}

/* (1 - am) a1 + am a0 = (1 - af) w1 + af w0 with Newmark's b and g; numbers is am, af, b, g. */
int alpha(rhs_function rhs, jacobian_function jacobian, const double *params, const double *numbers, double t0, double h,
          long steps, double tolerance, int most, int d, double *y, double *memory, int *pivots, double *out)
{
    const int n = d / 2;
    const double am = numbers[0], af = numbers[1], b = numbers[2], g = numbers[3];
    double *J = memory, *N = J + d * d, *scales = N + n * n, *residual = scales + n, *a = residual + n, *made = a + n;
    double *after = made + n, *now = after + d, *later = now + d;
    for (long step = 0; step < steps; step++) {
        const double t = t0 + step * h, by_q = (1 - af) * h * h * b, by_v = (1 - af) * h * g;
        double before = INFINITY;
        int state = GOES_ON;
        rhs(t, y, params, now);
        jacobian(t, y, params, J);
        for (int j = 0; j < n; j++)
            a[j] = step == 0 ? now[n + j] : made[j];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                N[i * n + j] = -by_q * J[(n + i) * d + j] - by_v * J[(n + i) * d + n + j];
            N[i * n + i] += 1 - am;
        }
        if (!factorise(n, N, pivots, scales))
            return 0;
        memcpy(made, a, n * sizeof *a);
        for (int turn = 0; turn <= most; turn++) {
            double size = 0;
            for (int j = 0; j < n; j++) {
                after[j] = y[j] + h * y[n + j] + h * h * ((0.5 - b) * a[j] + b * made[j]);
                after[n + j] = y[n + j] + h * ((1 - g) * a[j] + g * made[j]);
            }
            if (state != GOES_ON || turn == most)
                break;
            rhs(t + h, after, params, later);
            for (int j = 0; j < n; j++)
                residual[j] = (1 - af) * later[n + j] + af * now[n + j] - am * a[j] - (1 - am) * made[j];
            solve(n, N, pivots, scales, residual);
            for (int j = 0; j < n; j++) {
                const double part = h * residual[j] / (1 + fabs(y[n + j]));
                made[j] += residual[j];
                size += part * part;
            }
            size = sqrt(size / n) / tolerance;
            state = verdict(size, before, tolerance);
            before = size;
        }
        if (state != CONVERGED)
            return 0;
        memcpy(y, after, d * sizeof *y);
        memcpy(out + step * d, y, d * sizeof *y);
    }
    return 1;
}

/* Gragg's midpoint rule with 2, 4, .. 2 k substeps, extrapolated in even powers; table is (k, d). */
int extrapolate(rhs_function rhs, const double *params, int k, double t0, double h, long steps, int d, double *y,
                double *table, double *memory, double *out)
{
    double *first = memory, *slope = first + d, *before = slope + d, *now = before + d;
    for (long step = 0; step < steps; step++) {
        const double t = t0 + step * h;
        rhs(t, y, params, first);
        for (int j = 1; j <= k; j++) {
            const double small = h / (2 * j);
            for (int i = 0; i < d; i++) {
                before[i] = y[i];
                now[i] = y[i] + small * first[i];
            }
            for (int m = 1; m < 2 * j; m++) {
                rhs(t + m * small, now, params, slope);
                for (int i = 0; i < d; i++) {
                    const double later = before[i] + 2 * small * slope[i];
                    before[i] = now[i];
                    now[i] = later;
                }
            }
            for (int i = 0; i < d; i++) {
                double old = table[i];
                table[i] = now[i];
                for (int l = 1; l < j; l++) {
                    const double ratio = (double)j / (j - l), kept = table[l * d + i];
                    table[l * d + i] = table[(l - 1) * d + i] + (table[(l - 1) * d + i] - old) / (ratio * ratio - 1);
                    old = kept;
                }
            }
        }
        memcpy(y, table + (k - 1) * d, d * sizeof *y);
        memcpy(out + step * d, y, d * sizeof *y);
    }
    return 1;
}

/* A body about a fixed point: Euler parameters and rates; params is J1, J2, J3, m g l. */
void top_rhs(double t, const double *y, const double *p, double *dy)
{
    const double w1 = y[4], w2 = y[5], w3 = y[6];
    (void)t;
    dy[0] = -0.5 * (y[1] * w1 + y[2] * w2 + y[3] * w3);
    dy[1] = 0.5 * (y[0] * w1 + y[2] * w3 - y[3] * w2);
    dy[2] = 0.5 * (y[0] * w2 + y[3] * w1 - y[1] * w3);
    dy[3] = 0.5 * (y[0] * w3 + y[1] * w2 - y[2] * w1);
    dy[4] = ((p[1] - p[2]) * w2 * w3 + p[3] * 2 * (y[2] * y[3] + y[0] * y[1])) / p[0];
    dy[5] = ((p[2] - p[0]) * w3 * w1 - p[3] * 2 * (y[1] * y[3] - y[0] * y[2])) / p[1];
    dy[6] = (p[0] - p[1]) / p[2] * (w1 * w2);
}

/* The state after the differences u, whose first three are a rotation vector. */
static void rotated(int d, const double *y, const double *u, double *out)
{
    const double u1 = 0.5 * u[0], u2 = 0.5 * u[1], u3 = 0.5 * u[2], square = u1 * u1 + u2 * u2 + u3 * u3;
    const double half = sqrt(square), c = cos(half);
    const double ratio = half > 1e-3 ? sin(half) / half : 1 - square / 6 * (1 - square / 20);
    const double b1 = ratio * u1, b2 = ratio * u2, b3 = ratio * u3;
    out[0] = y[0] * c - y[1] * b1 - y[2] * b2 - y[3] * b3;
    out[1] = y[0] * b1 + y[1] * c + y[2] * b3 - y[3] * b2;
    out[2] = y[0] * b2 + y[2] * c + y[3] * b1 - y[1] * b3;
    out[3] = y[0] * b3 + y[3] * c + y[1] * b2 - y[2] * b1;
    for (int j = 4; j < d; j++)
        out[j] = y[j] + u[j];
}

static void rotation_rates(int d, const double *y, const double *raw, const double *u, double *out)
{
    const double twice = 2 / (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    const double w1 = twice * (y[0] * raw[1] - y[1] * raw[0] - y[2] * raw[3] + y[3] * raw[2]);
    const double w2 = twice * (y[0] * raw[2] - y[2] * raw[0] - y[3] * raw[1] + y[1] * raw[3]);
    const double w3 = twice * (y[0] * raw[3] - y[3] * raw[0] - y[1] * raw[2] + y[2] * raw[1]);
    const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], half = 0.5 * sqrt(square);
    const double c = square > 1e-4 ? (1 - half / tan(half)) / square : (1 + square / 60 * (1 + square / 42)) / 12;
    const double x1 = u[1] * w3 - u[2] * w2, x2 = u[2] * w1 - u[0] * w3, x3 = u[0] * w2 - u[1] * w1;
    out[0] = w1 + 0.5 * x1 + c * (u[1] * x3 - u[2] * x2);
    out[1] = w2 + 0.5 * x2 + c * (u[2] * x1 - u[0] * x3);
    out[2] = w3 + 0.5 * x3 + c * (u[0] * x2 - u[1] * x1);
    out[3] = 0;
    for (int j = 4; j < d; j++)
        out[j] = raw[j];
}

/* A Munthe-Kaas method by any explicit tableau; k is (s, d). */
int rotate(rhs_function rhs, const double *params, int s, const double *A, const double *b, const double *c, double t0,
           double h, long steps, int d, double *y, double *k, double *memory, double *out)
{
    double *u = memory, *work = u + d, *raw = work + d;
    for (long step = 0; step < steps; step++) {
        const double t = t0 + step * h;
        for (int i = 0; i <= s; i++) {
            for (int j = 0; j < d; j++) {
                double sum = 0;
                for (int l = 0; l < i; l++)
                    sum += (i < s ? A[i * s + l] : b[l]) * k[l * d + j];
                u[j] = h * sum;
            }
            rotated(d, y, u, work);
            if (i < s) {
                rhs(t + c[i] * h, work, params, raw);
                rotation_rates(d, work, raw, u, k + i * d);
            }
        }
        memcpy(y, work, d * sizeof *y);
        memcpy(out + step * d, y, d * sizeof *y);
    }
    return 1;
}

enum { HIGHEST = 5 };

static double norm(int d, const double *x, const double *before, const double *after, double rtol, double atol)
{
    double total = 0;
    for (int j = 0; j < d; j++) {
        const double ratio = x[j] / (atol + rtol * fmax(fabs(before[j]), fabs(after[j])));
        total += ratio * ratio;
    }
    return sqrt(total / d);
}

/* Differences 1 to k of the same polynomial at steps `ratio` times as long; D is (HIGHEST + 3, d). */
static void respace(int k, double ratio, int d, double *D)
{
    double change[HIGHEST + 1][HIGHEST + 1];
    for (int m = 0; m <= k; m++) {
        double value = 1;
        for (int i = 1; i <= k; i++)
            change[m][i] = value *= (i - 1 - ratio * m) / i;
    }
    for (int level = 1; level <= k; level++)
        for (int m = k; m >= level; m--)
            for (int i = 1; i <= k; i++)
                change[m][i] = change[m - 1][i] - change[m][i];
    for (int j = 0; j < d; j++) {
        double made[HIGHEST + 1];
        for (int m = 1; m <= k; m++) {
            made[m] = 0;
            for (int i = m; i <= k; i++)
                made[m] += change[m][i] * D[i * d + j];
        }
        for (int m = 1; m <= k; m++)
            D[m * d + j] = made[m];
    }
}

static double wanted(double error, double margin, int order)
{
    return pow(fmax(margin * error, 1e-10), -1.0 / (order + 1));
}

/* BDF of variable order and step from t0 to t1; returns the accepted steps, 0 where it fails. */
long variable(rhs_function rhs, jacobian_function jacobian, const double *params, double t0, double t1, double first,
              double rtol, double atol, int d, double *y, double *D, double *memory, int *pivots, long room, double *out)
{
    double *J = memory, *N = J + d * d, *scales = N + d * d, *slope = scales + d, *known = slope + d, *x = known + d;
    double *residual = x + d, *moved = residual + d, *after = moved + d;
    double gamma[HIGHEST + 1] = {0}, t = t0, h = first, spacing = first, factored = 0, rate = 1;
    const double newton = fmax(2e-15 / rtol, 0.1);
    int k = 1, same = 0;
    long accepted = 0;
    for (int j = 1; j <= HIGHEST; j++)
        gamma[j] = gamma[j - 1] + 1.0 / j;
    rhs(t, y, params, slope);
    jacobian(t, y, params, J);
    for (int j = 0; j < d; j++) {
        D[j] = y[j];
        D[d + j] = h * slope[j];
    }
    int fresh = 1, failed = 0;
    while (accepted < room) {
        const double left = t1 - t;
        const int last = fabs(left) <= 1.01 * h;
        const double length = last ? left : h;
        if (accepted == 0)
            for (int j = 0; j < d; j++)
                D[d + j] = length * slope[j];
        else if (length != spacing) {
            respace(k, length / spacing, d, D);
            same = 0;
        }
        spacing = length;
        for (int j = 0; j < d; j++) {
            double total = D[j], past = 0;
            for (int i = 1; i <= k; i++) {
                total += D[i * d + j];
                past += gamma[i] * D[i * d + j];
            }
            moved[j] = total;
            known[j] = past / gamma[k];
        }
        const double c = length / gamma[k];
        double *f = residual, error = INFINITY;
        int done = 0;
        for (int turn = 0; turn < 2 && !done; turn++) {
            double before = INFINITY;
            if (turn == 1) {
                if (fresh)
                    break;
                jacobian(t + length, moved, params, J);
                fresh = 1;
                factored = 0;
            }
            if (factored != c) {
                for (int i = 0; i < d; i++) {
                    for (int j = 0; j < d; j++)
                        N[i * d + j] = -c * J[i * d + j];
                    N[i * d + i] += 1;
                }
                if (!factorise(d, N, pivots, scales))
                    return 0;
                factored = c;
                rate = 1;
            }
            for (int j = 0; j < d; j++) {
                x[j] = 0;
                after[j] = moved[j];
            }
            for (int pass = 0; pass < 4 && !done; pass++) {
                rhs(t + length, after, params, f);
                for (int j = 0; j < d; j++)
                    residual[j] = c * f[j] - known[j] - x[j];
                solve(d, N, pivots, scales, residual);
                const double size = norm(d, residual, y, moved, rtol, atol) / newton;
                if (!isfinite(size))
                    break;
                for (int j = 0; j < d; j++) {
                    x[j] += residual[j];
                    after[j] = moved[j] + x[j];
                }
                if (before < INFINITY)
                    rate = fmax(0.3 * rate, size / before);
                done = size * fmin(1, rate) <= 1;
                if (!done && size >= 2 * before)
                    break;
                before = size;
            }
        }
        if (done)
            error = norm(d, x, y, after, rtol, atol) / (k + 1);
        if (done && error <= 1) {
            memcpy(out + accepted++ * d, after, d * sizeof *y);
            if (last) {
                memcpy(y, after, d * sizeof *y);
                return accepted;
            }
            double change = 1;
            for (int j = 0; j < d; j++) {
                D[(k + 2) * d + j] = x[j] - D[(k + 1) * d + j];
                D[(k + 1) * d + j] = x[j];
                for (int i = k; i > 0; i--)
                    D[i * d + j] += D[(i + 1) * d + j];
                D[j] = after[j];
            }
            if (++same > k) {
                double best = wanted(error, 3, k);
                int order = k;
                if (k > 1) {
                    const double lower = wanted(norm(d, D + k * d, y, after, rtol, atol) / k, 3, k - 1);
                    if (lower > best) {
                        best = lower;
                        order = k - 1;
                    }
                }
                if (k < HIGHEST) {
                    const double higher = wanted(norm(d, D + (k + 2) * d, y, after, rtol, atol) / (k + 2), 5, k + 1);
                    if (higher > best) {
                        best = higher;
                        order = k + 1;
                    }
                }
                if (best < 1 || best >= 1.2) {
                    if (order != k) {
                        k = order;
                        same = 0;
                    }
                    change = fmin(best, 10);
                }
            }
            t += length;
            memcpy(y, after, d * sizeof *y);
            h = length * change;
            fresh = failed = 0;
        } else {
            failed++;
            h = length * (!done ? 0.25 : failed == 1 ? fmax(0.2, fmin(0.9, wanted(error, 3, k))) : 0.5);
            if (failed >= 3)
                k = 1;
        }
    }
    return 0;
}

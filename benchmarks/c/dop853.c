/* DOP853 with step control on the flexible beam, as a C programmer would write it: the tableau's rows without their zeros,
 * the right-hand side through a pointer, the PI controller and the error of Hairer, Norsett, Wanner (1993), II.4-5.
 *
 * Rows 0 .. s - 1 are those of A, row s is b, rows s + 1 and s + 2 are the two differences of the estimate.
 */
#include <math.h>
#include <string.h>

typedef void (*rhs_function)(double t, const double *y, const double *params, double *dy);

/* q'' = b sin(q1) + A q; params is b (9) and A (9, 9). */
void beam_rhs(double t, const double *y, const double *p, double *dy)
{
    const int n = 9;
    const double push = sin(y[0]);
    (void)t;
    for (int i = 0; i < n; i++) {
        double sum = p[i] * push;
        for (int j = 0; j < n; j++)
            sum += p[n + i * n + j] * y[j];
        dy[i] = y[n + i];
        dy[n + i] = sum;
    }
}

static void combine(int row, double h, int d, const int *starts, const int *columns, const double *weights,
                    const double *k, double *out)
{
    for (int m = 0; m < d; m++)
        out[m] = 0;
    for (int e = starts[row]; e < starts[row + 1]; e++) {
        const double *slope = k + columns[e] * d, w = h * weights[e];
        for (int m = 0; m < d; m++)
            out[m] += w * slope[m];
    }
}

static double norm(int d, const double *x, const double *y, const double *after, double rtol, double atol)
{
    double sum = 0;
    for (int m = 0; m < d; m++) {
        const double r = x[m] / (atol + rtol * fmax(fabs(y[m]), fabs(after[m])));
        sum += r * r;
    }
    return sqrt(sum / d);
}

/* From y at t to `end`; every accepted state goes to out (room, d). Returns the accepted steps, or -1 without room. */
long integrate(rhs_function rhs, const double *params, int s, const double *c, const int *starts, const int *columns,
               const double *weights, double t, double end, double h, double rtol, double atol, int d, double *y, double *k,
               double *work, double *after, long room, double *out_t, double *out)
{
    double last = 1e-4;
    int rejected = 0;
    long steps = 0;
    rhs(t, y, params, k);
    while (t < end) {
        if (end - t <= 1.01 * h)
            h = end - t;
        for (int i = 1; i < s; i++) {
            combine(i, h, d, starts, columns, weights, k, work);
            for (int m = 0; m < d; m++)
                work[m] += y[m];
            rhs(t + c[i] * h, work, params, k + i * d);
        }
        combine(s, h, d, starts, columns, weights, k, after);
        for (int m = 0; m < d; m++)
            after[m] += y[m];
        combine(s + 1, h, d, starts, columns, weights, k, work);
        double error = norm(d, work, y, after, rtol, atol);
        combine(s + 2, h, d, starts, columns, weights, k, work);
        const double second = norm(d, work, y, after, rtol, atol);
        if (error > 0)
            error = error * error / sqrt(error * error + 0.01 * second * second);
        if (error <= 1) {
            double change = error > 0 ? 0.9 * pow(error, 0.75 * 0.04 - 0.125) * pow(last, 0.04) : 5;
            change = fmin(5, fmax(0.2, change));
            if (rejected)
                change = fmin(change, 1);
            if (steps == room)
                return -1;
            t = h == end - t ? end : t + h;
            memcpy(y, after, d * sizeof *y);
            memcpy(out + steps * d, y, d * sizeof *y);
            out_t[steps++] = t;
            last = fmax(error, 1e-4);
            rejected = 0;
            h *= change;
            rhs(t, y, params, k);
        } else {
            h *= fmin(5, fmax(0.2, 0.9 * pow(error, -0.125)));
            rejected = 1;
        }
    }
    return steps;
}

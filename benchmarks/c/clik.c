/* Closed-loop inverse kinematics of a seven-axis arm on a circle, written plainly for gcc -O3: the same mathematics as
   robots/dynamics/kernels/clik.py with the pseudo-inverse by Cholesky. For comparison only. */
#include <math.h>

enum { N = 7 };

typedef struct {
    double dh[N][4];           /* a, d, cos alpha, sin alpha */
    double gain_position, gain_orientation;
    double origin[3], u[3], v[3];
    double radius, rate, phase;
    double start[3][3];        /* columns of the desired rotation, constant */
} problem;

static void cross(const double *a, const double *b, double *out) {
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x; out[1] = y; out[2] = z;
}

static void forward(const problem *p, const double *q, double axes[N][3], double origins[N][3], double end[4][3]) {
    double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, o[3] = {0, 0, 0};
    for (int i = 0; i < N; i++) {
        double c = cos(q[i]), s = sin(q[i]);
        double a = p->dh[i][0], d = p->dh[i][1], ca = p->dh[i][2], sa = p->dh[i][3];
        for (int k = 0; k < 3; k++) {
            axes[i][k] = z[k];
            origins[i][k] = o[k];
            double turned = c * y[k] - s * x[k];
            x[k] = c * x[k] + s * y[k];
            o[k] += d * z[k] + a * x[k];
            y[k] = ca * turned + sa * z[k];
            z[k] = ca * z[k] - sa * turned;
        }
    }
    for (int k = 0; k < 3; k++) {
        end[0][k] = x[k]; end[1][k] = y[k]; end[2][k] = z[k]; end[3][k] = o[k];
    }
}

void clik_rhs(double t, const double *q, const problem *p, double *qd) {
    double axes[N][3], origins[N][3], end[4][3], jac[6][N], gram[6][6], command[6], error[6] = {0}, product[3];
    forward(p, q, axes, origins, end);
    for (int i = 0; i < N; i++) {
        double r[3] = {end[3][0] - origins[i][0], end[3][1] - origins[i][1], end[3][2] - origins[i][2]}, linear[3];
        cross(axes[i], r, linear);
        for (int k = 0; k < 3; k++) {
            jac[k][i] = linear[k];
            jac[3 + k][i] = axes[i][k];
        }
    }
    double angle = p->phase + p->rate * t, c = cos(angle), s = sin(angle);
    for (int k = 0; k < 3; k++) {
        double place = p->origin[k] + p->radius * (c * p->u[k] + s * p->v[k]);
        double speed = p->radius * p->rate * (c * p->v[k] - s * p->u[k]);
        error[k] = place - end[3][k];
        command[k] = speed + p->gain_position * error[k];
    }
    for (int column = 0; column < 3; column++) {
        cross(end[column], p->start[column], product);
        for (int k = 0; k < 3; k++) error[3 + k] += 0.5 * product[k];
    }
    for (int k = 0; k < 3; k++) command[3 + k] = p->gain_orientation * error[3 + k];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            double total = 0;
            for (int k = 0; k < N; k++) total += jac[i][k] * jac[j][k];
            gram[i][j] = total;
        }
    for (int j = 0; j < 6; j++) {
        double pivot = gram[j][j];
        for (int k = 0; k < j; k++) pivot -= gram[j][k] * gram[j][k];
        double root = sqrt(pivot);
        gram[j][j] = root;
        for (int i = j + 1; i < 6; i++) {
            double total = gram[i][j];
            for (int k = 0; k < j; k++) total -= gram[i][k] * gram[j][k];
            gram[i][j] = total / root;
        }
    }
    for (int i = 0; i < 6; i++) {
        double total = command[i];
        for (int k = 0; k < i; k++) total -= gram[i][k] * command[k];
        command[i] = total / gram[i][i];
    }
    for (int i = 5; i >= 0; i--) {
        double total = command[i];
        for (int k = i + 1; k < 6; k++) total -= gram[k][i] * command[k];
        command[i] = total / gram[i][i];
    }
    for (int k = 0; k < N; k++) {
        double total = 0;
        for (int i = 0; i < 6; i++) total += jac[i][k] * command[i];
        qd[k] = total;
    }
}

/* The right-hand side at many states (rows of q, N each); out likewise. */
void clik_many(const problem *p, long count, const double *t, const double *q, double *out) {
    for (long m = 0; m < count; m++) clik_rhs(t[m], q + m * N, p, out + m * N);
}

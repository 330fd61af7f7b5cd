/* The peer in plain C: PageRank over compressed in-rows, by Jacobi or by Gauss-Seidel, to L1 < 1e-6.
   Reads nodes, edges, offsets, sources and out-degrees as 32-bit words; prints "iterations seconds" of each
   of REPEATS runs. Usage: pagerank FILE jacobi|gauss-seidel REPEATS */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double damping = 0.85, tolerance = 1e-6;

static uint32_t *words(FILE *file, size_t count) {
  uint32_t *buffer = malloc(count * sizeof *buffer + 1);
  if (!buffer || fread(buffer, sizeof *buffer, count, file) != count) exit(1);
  return buffer;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  FILE *file = fopen(argv[1], "rb");
  if (!file) return 1;
  uint32_t *head = words(file, 2), nodes = head[0], edges = head[1];
  uint32_t *offsets = words(file, (size_t)nodes + 1), *sources = words(file, edges);
  uint32_t *degrees = words(file, nodes);
  int seidel = strcmp(argv[2], "gauss-seidel") == 0;
  double *values = malloc(8 * (size_t)nodes), *given = malloc(8 * (size_t)nodes);
  for (int repeat = atoi(argv[3]); repeat > 0; repeat--) {
    double start = now(), change = 1, dangling = 0;
    int iterations = 0;
    for (uint32_t i = 0; i < nodes; i++) {
      values[i] = 1.0 / nodes;
      given[i] = degrees[i] ? damping * values[i] / degrees[i] : 0;
      if (!degrees[i]) dangling += values[i];
    }
    for (; change >= tolerance; iterations++) {
      double base = (1 - damping + damping * dangling) / nodes;
      change = 0;
      for (uint32_t i = 0; i < nodes; i++) {
        double sum = 0;
        for (uint32_t k = offsets[i]; k < offsets[i + 1]; k++) sum += given[sources[k]];
        if (seidel) base = (1 - damping + damping * dangling) / nodes;
        sum += base;
        change += fabs(sum - values[i]);
        if (seidel && !degrees[i]) dangling += sum - values[i];
        values[i] = sum;
        if (seidel) given[i] = degrees[i] ? damping * sum / degrees[i] : 0;
      }
      if (seidel) continue;
      dangling = 0;
      for (uint32_t i = 0; i < nodes; i++) {
        given[i] = degrees[i] ? damping * values[i] / degrees[i] : 0;
        if (!degrees[i]) dangling += values[i];
      }
    }
    printf("%d %.6f\n", iterations, now() - start);
  }
  return 0;
}

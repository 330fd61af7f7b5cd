"""The peers in Python: SciPy's sparse rows and igraph, where installed. Reads the file that pagerank.c reads.

Usage: pagerank.py FILE scipy|igraph REPEATS; prints "iterations seconds" of each run (igraph tells no
iterations: 0), or exits with 3 where the library is absent."""
import sys
import time

path, peer, repeats = sys.argv[1], sys.argv[2], int(sys.argv[3])
try:
    import numpy
    if peer == "scipy":
        import scipy.sparse
    else:
        import igraph
except ImportError:
    sys.exit(3)

words = numpy.fromfile(path, dtype=numpy.uint32)
nodes, edges = int(words[0]), int(words[1])
offsets = words[2 : nodes + 3].astype(numpy.int32)
sources = words[nodes + 3 : nodes + 3 + edges].astype(numpy.int32)
degrees = words[nodes + 3 + edges :].astype(float)


def scipy_rank(matrix, given, dangling):
    values = numpy.full(nodes, 1 / nodes)
    iterations, change = 0, 1.0
    while change >= 1e-6:
        following = matrix @ (values * given) + (0.15 + 0.85 * values[dangling].sum()) / nodes
        change = numpy.abs(following - values).sum()
        values = following
        iterations += 1
    return iterations


if peer == "scipy":
    matrix = scipy.sparse.csr_matrix((numpy.ones(edges), sources, offsets), shape=(nodes, nodes))
    given = numpy.where(degrees > 0, 0.85 / numpy.maximum(degrees, 1), 0)
    run = lambda: scipy_rank(matrix, given, degrees == 0)
else:
    targets = numpy.repeat(numpy.arange(nodes), numpy.diff(offsets))
    graph = igraph.Graph(n=nodes, edges=numpy.column_stack((sources, targets)), directed=True)
    run = lambda: graph.pagerank(damping=0.85) and 0
for _ in range(repeats):
    start = time.perf_counter()
    iterations = run()
    print(iterations, time.perf_counter() - start, flush=True)

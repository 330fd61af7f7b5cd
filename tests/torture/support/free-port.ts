/** A port below those of outgoing connections, one of which could take it meanwhile. */
const FIRST = 20_000;
const END = 32_000;

/** A port that nothing listens on. */
export function freePort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (END - FIRST));
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Something listens there.
    }
  }
}

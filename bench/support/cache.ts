import { homedir } from 'node:os';
import { join } from 'node:path';

/** For installed peers, outside the checkout: the project only compares with them and never depends on them. */
export function cacheDirectory(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'zastava-bench');
}

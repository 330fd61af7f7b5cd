import { homedir } from 'node:os';
import { join } from 'node:path';

/** For installed peers, outside the checkout: they are compared with, never depended on. */
export function cacheDirectory(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'zastava-bench');
}

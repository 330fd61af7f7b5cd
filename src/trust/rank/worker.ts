/** Entry of a ranking thread: see workers.ts. */
import { solveShare, type Share } from './solve.ts';

declare const self: Worker;

self.addEventListener('message', (event: MessageEvent<Share>) => {
  self.postMessage(solveShare(event.data), []);
});

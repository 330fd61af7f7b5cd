import { join } from 'node:path';
import { PEER_CORE, start, type Running } from './processes.ts';
import { chatCompletion, postText, streamedCompletion, type Target } from './target.ts';

export interface Mock {
  url: string;
  /** Called directly. */
  target: Target;
  /** Completions given so far. */
  completions(): Promise<number>;
  stop: () => Promise<void>;
}

/** Starts the mock provider beside the load generator, on the core that the gateways leave free. */
export async function startMock(): Promise<Mock> {
  const script = join(import.meta.dir, 'mock-provider.ts');
  const running: Running = await start([process.execPath, script], {
    core: PEER_CORE,
    readyLine: /^listening on /,
  });
  const url = running.readyLine.replace('listening on ', '');
  return {
    url,
    target: {
      name: 'the mock itself',
      url,
      requests: [postText(url, '/v1/chat/completions', {}, chatCompletion)],
      streams: [postText(url, '/v1/chat/completions', {}, streamedCompletion)],
      pid: undefined,
    },
    completions: async () => Number(await (await fetch(`${url}/completions`)).text()),
    stop: () => running.stop(),
  };
}

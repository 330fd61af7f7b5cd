import { join } from 'node:path';
import { PEER_CORE, start, type Running } from './processes.ts';
import { chatCompletion, postText, streamedCompletion, type Target } from './target.ts';

export interface Mock {
  url: string;
  /** The mock as a target that is called directly. */
  target: Target;
  /** Completions given so far. */
  completions(): Promise<number>;
  /** From now on, makes it wait before each answer and each write of a stream. */
  delay(milliseconds: number): Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Starts the mock provider beside the load generator, on the core that the gateways do not use. @param core null: any
 */
export async function startMock(core: number | null = PEER_CORE): Promise<Mock> {
  const script = join(import.meta.dir, 'mock-provider.ts');
  const running: Running = await start([process.execPath, script], {
    core: core ?? undefined,
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
    delay: async (ms) => void (await (await fetch(`${url}/delay/${ms}`)).text()),
    stop: () => running.stop(),
  };
}

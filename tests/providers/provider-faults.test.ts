import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { ProviderPool, type ProviderError, type ProviderFault } from '../../src/providers/index.ts';
import { HELD_SECONDS, holdDeadlines } from '../support/held-deadline.ts';
import { faults, ScriptedProvider, type Fault } from '../support/scripted-provider.ts';
import {
  canaryKey,
  allTextsOf,
  generateImage,
  generateText,
  openAiSetup,
  providerErrorOf,
  running,
  textRequest,
} from './fixtures.ts';

const kinds = ['text', 'stream', 'image'] as const;
type Kind = (typeof kinds)[number];

interface Expected {
  fault: ProviderFault;
  accepted?: boolean;
  status?: number;
  /** How often the provider is called, including the second attempt. */
  calls?: number;
}

const broken: Expected = { fault: 'failed', accepted: true, calls: 1 };
const late: Expected = { fault: 'timeout', accepted: true, calls: 1 };

/** The expected outcome of each fault; undefined if the call succeeds all the same. */
function expected(fault: Fault, kind: Kind): Expected | undefined {
  switch (fault) {
    case 'refused':
      return { fault: 'unreachable', accepted: false, calls: 0 };
    case 'reset':
      return { fault: 'unreachable', accepted: true, calls: 1 };
    case '400':
    case '401':
    case '403':
      return { fault: 'failed', accepted: false, status: Number(fault), calls: 1 };
    case '404':
      return { fault: 'not_found', accepted: false, status: 404, calls: 1 };
    case '409':
    case '500':
    case '502':
      return { fault: 'failed', accepted: true, status: Number(fault), calls: 1 };
    case '408':
      return { ...late, status: 408 };
    case '429':
    case '503':
    case '529':
      return { fault: 'busy', accepted: false, status: Number(fault), calls: 2 };
    case 'slow_drip':
    case 'never_answers':
      return late;
    case 'no_usage':
      return undefined;
    case 'no_finish':
      // A plain answer is complete without a finish reason; a stream may not be.
      return kind === 'text' ? undefined : broken;
    default:
      return broken;
  }
}

describe('every fault of a provider ends in the right error', () => {
  let provider: ScriptedProvider;
  beforeAll(async () => {
    provider = await ScriptedProvider.start();
  });
  afterEach(() => provider.script('good'));
  afterAll(() => provider.close());

  async function call(kind: Kind): Promise<unknown> {
    // Each case gets its own pool: the circuit breaker is tested elsewhere.
    const pool = new ProviderPool();
    const setup = openAiSetup(provider.baseUrl, HELD_SECONDS);
    if (kind === 'text') return generateText(pool, setup, textRequest, running());
    if (kind === 'image') {
      return generateImage(pool, setup, { model: 'dall-e', prompt: 'a cat' });
    }
    return Array.fromAsync(pool.streamText(setup, textRequest, running()));
  }

  function check(error: ProviderError, want: Expected): void {
    const { calls: _, ...fields } = want;
    expect(error).toMatchObject(fields);
    expect(allTextsOf(error)).not.toContain(canaryKey);
    expect(error.message).not.toContain('scripted failure');
    expect(error.message).not.toContain('127.0.0.1');
  }

  for (const kind of kinds) {
    for (const fault of faults) {
      test(`${kind}: ${fault}`, async () => {
        const want = expected(fault, kind);
        const before = provider.calls.length;
        await provider.script(fault);
        using deadline = holdDeadlines();
        const received = provider.received(before + 1);
        const ended = want ? providerErrorOf(() => call(kind)) : call(kind);
        if (want === late) {
          await received;
          deadline.pass();
        }
        const error = await ended;
        if (want) check(error as ProviderError, want);
        expect(provider.calls.length - before).toBe(want?.calls ?? 1);
      });
    }
  }
});

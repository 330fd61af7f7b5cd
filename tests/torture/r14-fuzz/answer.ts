/** The answer to a request of the campaign, or the reason why a missing answer is a failure. */
import type { RunningTime } from '../support/running-time.ts';
import { wrongIn } from './judge.ts';
import type { FuzzedRequest } from './requests.ts';

const NOT_READY = 503;

export interface Patient {
  time: RunningTime;
  /** How long the process may run without an answer, in milliseconds. */
  patienceMs: number;
}

export interface Judged {
  /** 0: there was no answer. */
  status: number;
  problems: string[];
}

/**
 * Sends the request, and judges the answer. A request without an answer is sent once more, and the finding includes the
 * second result.
 */
export async function answerTo(
  url: string,
  request: FuzzedRequest,
  patient: Patient,
): Promise<Judged> {
  try {
    return await answerOnce(url, request, patient);
  } catch (error) {
    const again = await answerOnce(url, request, patient).then(
      ({ status }) => `answered with ${status}`,
      () => 'no answer either',
    );
    return { status: 0, problems: [`no answer: ${String(error)}; sent again: ${again}`] };
  }
}

async function answerOnce(
  url: string,
  { method, path, headers, body }: FuzzedRequest,
  { time, patienceMs }: Patient,
): Promise<Judged> {
  using patience = time.patience(patienceMs);
  const { signal } = patience;
  const init = { method, headers, body: body ?? null, redirect: 'manual', signal } as const;
  const response = await fetch(url + path, init);
  const { status } = response;
  const type = response.headers.get('content-type') ?? '';
  const problems = wrongIn(status, type, await response.text());
  return { status, problems: isBusy(path, status) ? [] : problems };
}

/** On a busy machine the database may be late, and then the server is not ready for a moment. */
function isBusy(path: string, status: number): boolean {
  return path.startsWith('/readyz') && status === NOT_READY;
}

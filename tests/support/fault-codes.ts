import type { ErrorCode } from '../../src/lib/errors.ts';
import type { Fault } from './scripted-provider.ts';

/** `audio`: speech and transcripts, which are whole without a finish. */
export type SendKind = 'text' | 'stream' | 'image' | 'streamed image' | 'audio';

/** The code that a send must come to by a provider's fault; undefined where it succeeds all the same. */
export function codeOfFault(fault: Fault, kind: SendKind): ErrorCode | undefined {
  switch (fault) {
    case 'refused':
    case '429':
    case '503':
    case '529':
      return 'provider_unavailable';
    case '408':
    case 'slow_drip':
    case 'never_answers':
      return 'provider_timeout';
    case 'no_usage':
      return undefined;
    case 'no_finish':
      // A plain answer is whole without the word; a stream is not known to be, a list is empty.
      return kind === 'text' || kind === 'audio' ? undefined : 'provider_error';
    case 'error_finish':
      return kind === 'audio' ? undefined : 'provider_error';
    default:
      return 'provider_error';
  }
}

import type { ErrorCode } from '../../src/lib/errors.ts';
import type { Fault } from './scripted-provider.ts';

/** `audio`: speech and transcripts, which are complete without a finish reason. */
export type SendKind = 'text' | 'stream' | 'image' | 'streamed image' | 'audio';

/** The error code of a send after a provider's fault; undefined if the send succeeds nevertheless. */
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
      // A plain answer is complete without a finish reason. A stream may not be, and a list is empty.
      return kind === 'text' || kind === 'audio' ? undefined : 'provider_error';
    case 'error_finish':
      return kind === 'audio' ? undefined : 'provider_error';
    default:
      return 'provider_error';
  }
}

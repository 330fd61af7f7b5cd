/** The thread that reads a catalogue. */
import { DomainError, messageOf } from '../lib/errors.ts';
import { yieldCores } from '../lib/yield-cores.ts';
import { parseCatalogue } from './file.ts';
import { checkMarks } from './marks.ts';
import type { ReadAnswer, ReadRequest } from './file-thread.ts';

declare const self: Worker;

yieldCores();

self.addEventListener('message', ({ data }: MessageEvent<ReadRequest>) => {
  self.postMessage(answerTo(data), []);
});

function answerTo({ text, known }: ReadRequest): ReadAnswer {
  try {
    checkMarks(text);
    return { file: parseCatalogue(text, known) };
  } catch (error) {
    if (!(error instanceof DomainError)) return { failure: messageOf(error) };
    const { code, message, details } = error;
    return { code, message, details };
  }
}

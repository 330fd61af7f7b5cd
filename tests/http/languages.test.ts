import { expect, test } from 'bun:test';
import { errorInLanguage } from '../../src/http/languages.ts';
import { DomainError } from '../../src/lib/errors.ts';

const inRussian = (sentence: string) => (sentence === 'busy' ? 'занято' : sentence);

function shownTo(language: string, error: DomainError): DomainError {
  const headers = { 'accept-language': language };
  return errorInLanguage(error, new Request('http://localhost/', { headers }), inRussian);
}

test('an error in Russian differs from the English one only in its words', () => {
  const error = new DomainError('overloaded', 'busy', {
    cause: new Error('the reason'),
    details: [{ path: 'yaml', message: 'busy' }],
    facts: { line: 3 },
    retryAfterSeconds: 5,
  });
  expect(shownTo('en', error)).toBe(error);
  const russian = shownTo('ru', error);
  const { code, cause, facts, retryAfterSeconds } = error;
  expect(russian).toMatchObject({ code, cause, facts, retryAfterSeconds, message: 'занято' });
  expect(russian.details).toEqual([{ path: 'yaml', message: 'занято' }]);
});

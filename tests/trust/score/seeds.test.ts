import { describe, expect, test } from 'bun:test';
import { isInstitution } from '../../../src/trust/score/seeds.ts';
import { isTrustedByRule } from '../../support/link-graph.ts';

describe('trust seeds by rule', () => {
  test.each([
    'mit.edu',
    'nasa.gov',
    'army.mil',
    'who.int',
    'ox.ac.uk',
    'u-tokyo.ac.jp',
    'anu.edu.au',
    'service.gov.uk',
    'interieur.gouv.fr',
    'gob.gob.mx',
    'x.mil.br',
    'city.go.jp',
  ])('include %s', (domain) => {
    expect(isTrustedByRule(domain)).toBe(true);
    expect(isInstitution(domain)).toBe(true);
  });

  test.each([
    'edu',
    'gov',
    'example.com',
    'edu.com',
    'gov.example.com',
    'x.edu.com',
    'my-edu.org',
    'ac.uk',
    'gov.io.example',
    'x.gov.info',
    '',
  ])('do not include %s', (domain) => {
    expect(isTrustedByRule(domain)).toBe(false);
    expect(isInstitution(domain)).toBe(false);
  });
});

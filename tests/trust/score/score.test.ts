import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { INDEPENDENT_MAX } from '../../../src/trust/rank/mark-words.ts';
import { formulaV1 } from '../../../src/trust/score/formula-v1.ts';
import { score } from '../../../src/trust/score/score.ts';
import type { Component, DomainSignals, PageSignals } from '../../../src/trust/score/verdict.ts';
import { exactScore } from '../../support/link-graph.ts';
import { domain } from './support.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const lists = fc.option(
  fc.record({ odds: fc.double({ min: -5, max: 0, noNaN: true }), coverage: share }),
);
const domains: fc.Arbitrary<DomainSignals> = fc.record({
  pageRank: share,
  trustRank: share,
  antiTrustRank: share,
  donors: share,
  distrust: fc.double({ min: -4, max: 4, noNaN: true }),
  listed: fc.nat(2),
  independent: fc.nat(INDEPENDENT_MAX),
  donorCount: fc.nat(1000),
  acceptorCount: fc.nat(1000),
  release: fc.record({ votes: share, reach: share, lists }),
});
const pages: fc.Arbitrary<PageSignals | undefined> = fc.option(
  fc.record({ hiddenLinks: fc.nat(50), externalDomains: fc.nat(500), repeatedAnchorShare: share }),
  { nil: undefined },
);

const of = (signals: DomainSignals, page?: PageSignals) => exactScore(signals, page, formulaV1);
const sum = (components: readonly Component[], unit: Component['unit']): number =>
  components
    .filter((component) => component.unit === unit)
    .reduce((total, { contribution }) => total + contribution, 0);

describe('the score', () => {
  test('stays in its ranges, and its terms add up to it exactly', () => {
    fc.assert(
      fc.property(domains, pages, (signals, page) => {
        const { xt, xtExact, spam, p, components } = of(signals, page);
        expect(xt).toBeGreaterThanOrEqual(0);
        expect(xt).toBeLessThanOrEqual(10);
        expect(Math.round(xt * 10) / 10).toBe(xt);
        expect(Math.abs(xt - xtExact)).toBeLessThanOrEqual(0.05 + 1e-9);
        expect(spam).toBe(Math.round(100 * p));
        expect(sum(components, 'points')).toBeCloseTo(xtExact, 9);
        expect(1 / (1 + Math.exp(-sum(components, 'log-odds')))).toBeCloseTo(p, 12);
      }),
    );
  });

  test('never falls with trust or with well-ranked donors', () => {
    fc.assert(
      fc.property(domains, share, share, (signals, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        for (const name of ['trustRank', 'donors'] as const) {
          const low = of({ ...signals, [name]: less }).xtExact;
          expect(of({ ...signals, [name]: more }).xtExact).toBeGreaterThanOrEqual(low - 1e-9);
        }
      }),
    );
  });

  test('falls, and spam rises, with the distrust of donors', () => {
    const [good, none, bad] = [-1, 0, 1].map((distrust) => of(domain({ distrust })));
    expect(good?.p ?? 1).toBeLessThan(none?.p ?? 0);
    expect(none?.p ?? 1).toBeLessThan(bad?.p ?? 0);
    expect(none?.xtExact ?? 0).toBeGreaterThan(bad?.xtExact ?? 10);
  });

  test('is high for well-linked sites and 0 for unlinked ones', () => {
    const top = of(domain({ pageRank: 1, trustRank: 1, donors: 1, donorCount: 1e6 }));
    expect(top.xt).toBeGreaterThan(9);
    expect({ colour: top.colour, confidence: top.confidence }).toEqual({
      colour: 'зел',
      confidence: 'high',
    });
    const unknown = of(
      domain({ pageRank: 0, trustRank: 0, donors: 0, donorCount: 0, acceptorCount: 0 }),
    );
    expect(unknown).toMatchObject({ xt: 0, colour: 'ор', confidence: 'low' });
  });

  test('lowers votes without trust', () => {
    const backed = of(domain({ pageRank: 0.7, trustRank: 0.6 }));
    const farmed = of(domain({ pageRank: 0.7, trustRank: 0, donors: 0.1 }));
    expect(farmed.spam).toBeGreaterThan(backed.spam);
    expect(farmed.colour).toBe('ор');
  });

  test('assumes neutral ranks when the lists show that votes mislead', () => {
    const release = { votes: 0, reach: 0.3, lists: { odds: -0.4, coverage: 0.9 } };
    const great = of(domain({ pageRank: 1, donors: 1, release }));
    const small = of(domain({ pageRank: 0.1, donors: 0.1, release }));
    expect(great.xtExact).toBeCloseTo(small.xtExact, 9);
    expect(great.confidence).toBe('medium');
  });

  test('has the colour of its rounded figures', () => {
    fc.assert(
      fc.property(domains, pages, (signals, page) => {
        const { xt, spam, colour } = of(signals, page);
        const orange = xt <= 3 || spam > 12;
        expect(colour).toBe(orange ? 'ор' : xt > 5 && spam <= 7 ? 'зел' : 'жел');
      }),
    );
  });

  test('has low confidence with fewer than three donors', () => {
    fc.assert(
      fc.property(domains, (signals) => {
        const { confidence, reasons } = of({ ...signals, donorCount: signals.donorCount % 3 });
        expect(confidence).toBe('low');
        expect(reasons[0]).toEqual({ code: 'few_donors', value: signals.donorCount % 3 });
      }),
    );
  });

  test('gives the weightiest terms as reasons', () => {
    const { reasons: codes } = of(domain({ distrust: 2, listed: 2 }));
    expect(codes).toContainEqual({ code: 'listed_as_spam', value: null });
    expect(codes).toContainEqual({ code: 'donors_link_to_spam', value: null });
  });

  test('gives no verdict without a release', () => {
    const nothing = score(undefined, undefined, formulaV1);
    expect(nothing).toMatchObject({ xt: 0, spam: 0, colour: 'жел', confidence: 'none' });
    expect(nothing.components).toEqual([]);
    expect(nothing.reasons).toHaveLength(1);
  });

  test('counts bad signs on the page', () => {
    const clean: PageSignals = { hiddenLinks: 0, externalDomains: 5, repeatedAnchorShare: 0.1 };
    const stuffed: PageSignals = {
      hiddenLinks: 40,
      externalDomains: 300,
      repeatedAnchorShare: 0.9,
    };
    expect(of(domain(), stuffed).p).toBeGreaterThan(of(domain(), clean).p);
  });
});

import { edenGC, fullGC, heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Roster, type Member } from '../../src/lib/roster.ts';

describe('a roster', () => {
  test('has what was added and not removed', () => {
    const step = fc.record({ isRemoval: fc.boolean(), which: fc.nat() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const roster = new Roster<number>();
        const present = new Set<number>();
        const members: Member<number>[] = [];
        for (const [value, { isRemoval, which }] of steps.entries()) {
          const member = isRemoval ? members[which % members.length] : undefined;
          if (member) {
            roster.remove(member);
            present.delete(member.value);
          } else {
            members.push(roster.add(value));
            present.add(value);
          }
        }
        expect(roster.size).toBe(present.size);
        expect(new Set(roster.values())).toEqual(present);
      }),
    );
  });

  test('lets collections of young objects free what was removed', () => {
    const roster = new Roster<object>();
    const kept = leftAfterChurn((value) => {
      const member = roster.add(value);
      return () => roster.remove(member);
    });
    const set = new Set<object>();
    const keptBySet = leftAfterChurn((value) => {
      set.add(value);
      return () => set.delete(value);
    });
    expect(keptBySet).toBeGreaterThan(8_000);
    expect(kept).toBeLessThan(2_500);
  });
});

/**
 * Adds 10,000 dates one after the other and removes each when 32 others have been added, with a collection of young
 * objects after every 200. @returns how many are freed only by a full collection
 */
function leftAfterChurn(add: (value: object) => () => void): number {
  const removals: (() => void)[] = [];
  fullGC();
  for (let count = 1; count <= 10_000; count++) {
    removals.push(add(new Date(0)));
    if (removals.length > 32) removals.shift()?.();
    if (count % 200 === 0) edenGC();
  }
  const before = dates();
  fullGC();
  return before - dates();
}

function dates(): number {
  return heapStats().objectTypeCounts['Date'] ?? 0;
}

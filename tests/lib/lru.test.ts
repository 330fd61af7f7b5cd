import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LruMap } from '../../src/lib/lru.ts';

const key = fc.integer({ min: 0, max: 6 });
const step = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, value: fc.nat() }),
  fc.record({ do: fc.constant('get' as const), key }),
  fc.record({ do: fc.constant('delete' as const), key }),
  fc.record({ do: fc.constant('clear' as const) }),
);

test('holds what a list of the entries, the last used at its end, would hold', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (max, steps) => {
      const map = new LruMap<number, number>(max);
      let list: { key: number; value: number }[] = [];
      for (const one of steps) {
        if (one.do === 'clear') {
          map.clear();
          list = [];
          continue;
        }
        const known = list.find((entry) => entry.key === one.key);
        const rest = list.filter((entry) => entry !== known);
        if (one.do === 'set') {
          map.set(one.key, one.value);
          list = [...rest, { key: one.key, value: one.value }].slice(-max);
        } else if (one.do === 'delete') {
          map.delete(one.key);
          list = rest;
        } else {
          expect(map.get(one.key)).toBe(known?.value);
          if (known) list = [...rest, known];
        }
      }
      for (const entry of list) expect(map.get(entry.key)).toBe(entry.value);
    }),
  );
});

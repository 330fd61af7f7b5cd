/**
 * The approximate most UTF-16 units of one field that the events of an answer repeat. They would write a longer one
 * three times, on the serving thread.
 */
export const REPEATED_UNITS_MAX = 256 * 1024;

/** The value of a field as answers repeat it. @param otherwise replaces a value that is too long */
export function repeated<Value, Short>(value: Value, otherwise: Short): Value | Short {
  return unitsLeft(value, REPEATED_UNITS_MAX) < 0 ? otherwise : value;
}

/** `units` minus the size of the value; negative as soon as that is known to be larger. */
function unitsLeft(value: unknown, units: number): number {
  if (typeof value === 'string') return units - value.length;
  if (typeof value !== 'object' || value === null) return units - 1;
  let left = units;
  for (const [name, member] of Object.entries(value)) {
    if (left < 0) break;
    left = unitsLeft(member, left - name.length);
  }
  return left;
}

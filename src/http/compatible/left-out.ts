export function leftOutWarning(types: readonly string[]): string[] {
  if (types.length === 0) return [];
  return [`not offered to the model, since the gateway does not run it: ${types.join(', ')}`];
}

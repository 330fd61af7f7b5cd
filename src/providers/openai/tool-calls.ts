import type { ToldPiece } from '../shared/tool-calls.ts';
import { asArray, asRecord } from '../shared/json.ts';

/**
 * The tool calls of a message, or their pieces in a stream's delta.
 * @returns undefined when they are not what the dialect says
 */
export function readToolCalls(message: Readonly<Record<string, unknown>>): ToldPiece[] | undefined {
  const told = asArray(message['tool_calls'] ?? []);
  if (!told) return undefined;
  const pieces: ToldPiece[] = [];
  for (const [position, value] of told.entries()) {
    const call = asRecord(value);
    const named = asRecord(call?.['function'] ?? {});
    const text = named && argumentsOf(named['arguments']);
    if (!call || text === undefined) return undefined;
    const { index, id } = call;
    const key = typeof index === 'number' ? index : position;
    pieces.push({ key, id, name: named?.['name'], arguments: text });
  }
  return pieces;
}

/** JSON as text; some compatible servers send the object itself. */
function argumentsOf(told: unknown): string | undefined {
  if (told === undefined || told === null) return '';
  if (typeof told === 'string') return told;
  return asRecord(told) && JSON.stringify(told);
}

import type { ResponseName } from '../../../chat/index.ts';

/** A response's id contains the message's id, so that it can be found in the history. */
export function responseId({ roomId, id }: ResponseName): string {
  return `resp_${roomId}_${id}`;
}

/**
 * `msg`: the text of the answer. `rs`: a reasoning block, by its position among them. `fc`, `ctc` and `tsc`: a call, by
 * its position among the calls. `in`: an item of the input, by its position. `cmp`: a compaction.
 */
type ItemKind = 'msg' | 'rs' | 'fc' | 'ctc' | 'tsc' | 'in' | 'cmp';

export function itemId(kind: ItemKind, of: ResponseName, position?: number): string {
  const name = `${kind}_${of.roomId}_${of.id}`;
  return position === undefined ? name : `${name}_${position}`;
}

const responsePattern = /^resp_([0-9A-Za-z_-]{32})_([1-9]\d{0,15})$/;
const itemPattern =
  /^(msg|rs|fc|ctc|tsc|in|cmp)_([0-9A-Za-z_-]{32})_([1-9]\d{0,15})(?:_(\d{1,7}))?$/;

/** Undefined for a text that can't be the id of a response. */
export function parseResponseId(text: string): ResponseName | undefined {
  const [, roomId, id] = responsePattern.exec(text) ?? [];
  return nameOf(roomId, id);
}

export interface ItemName {
  kind: ItemKind;
  of: ResponseName;
  position: number;
}

/** Undefined for a text that can't be the id of an item. */
export function parseItemId(text: string): ItemName | undefined {
  const [, kind, roomId, id, position = '0'] = itemPattern.exec(text) ?? [];
  const of = nameOf(roomId, id);
  return of && { kind: kind as ItemKind, of, position: Number(position) };
}

function nameOf(roomId: string | undefined, id: string | undefined): ResponseName | undefined {
  const number = Number(id);
  return roomId !== undefined && Number.isSafeInteger(number) ? { roomId, id: number } : undefined;
}

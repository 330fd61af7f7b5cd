import { z } from 'zod';
import { readSetting, writeSetting, type Sql, type Tx } from '../db/index.ts';
import type { Bindings } from './bindings.ts';

const SETTING = 'catalogue_bindings';

const bindingsSchema = z.array(z.tuple([z.string(), z.array(z.string())]));

/** The bindings that the last file of the operator made; undefined if there was none since bindings exist. */
export async function readBindings(sql: Sql): Promise<Bindings | undefined> {
  const text = await readSetting(sql, SETTING);
  return text === undefined ? undefined : new Map(bindingsSchema.parse(JSON.parse(text)));
}

/** Replaces the bindings. */
export function writeBindings(tx: Tx, bound: Bindings): Promise<void> {
  return writeSetting(tx, SETTING, JSON.stringify([...bound]));
}

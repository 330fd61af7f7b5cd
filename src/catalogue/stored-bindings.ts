import { z } from 'zod';
import { readSetting, writeSetting, type Sql, type Tx } from '../db/index.ts';
import { bindingsOf, merged, type Bindings } from './bindings.ts';
import { inUse, type StoredCatalogue } from './plan.ts';
import type { Preset } from './provider-facts.ts';

const SETTING = 'catalogue_bindings';

const bindingsSchema = z.array(z.tuple([z.string(), z.array(z.string())]));

/** The bindings that the operator's last file made; undefined if no file was applied since bindings were introduced. */
async function readBindings(sql: Sql): Promise<Bindings | undefined> {
  const text = await readSetting(sql, SETTING);
  return text === undefined ? undefined : new Map(bindingsSchema.parse(JSON.parse(text)));
}

/**
 * The places to which an admin over HTTP may send variables: those to which presets, or the operator's own files, send
 * them. Until the operator has applied a file in a version with bindings, those of the providers in use count.
 */
export async function boundHosts(
  sql: Sql,
  stored: StoredCatalogue,
  presets: readonly Preset[],
): Promise<Bindings> {
  const ofFile = inUse(stored).providers.filter(({ origin }) => origin === 'file');
  const ofOperator = (await readBindings(sql)) ?? bindingsOf(ofFile.map(({ facts }) => facts));
  return merged([...ofOperator, ...bindingsOf(presets.map(({ provider }) => provider))]);
}

export function writeBindings(tx: Tx, bound: Bindings): Promise<void> {
  return writeSetting(tx, SETTING, JSON.stringify([...bound]));
}

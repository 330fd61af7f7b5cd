import { business } from './en/business.ts';
import { catalogue } from './en/catalogue.ts';
import { graph } from './en/graph.ts';
import { overview } from './en/overview.ts';
import { users } from './en/users.ts';

/** The words of the administration. They are loaded together with it. */
export const en = { ...overview, ...users, ...business, ...catalogue, ...graph };

export type Words = typeof en;

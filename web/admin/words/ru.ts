import type { Words } from './en.ts';
import { business } from './ru/business.ts';
import { catalogue } from './ru/catalogue.ts';
import { graph } from './ru/graph.ts';
import { overview } from './ru/overview.ts';
import { users } from './ru/users.ts';

export const ru: Words = { ...overview, ...users, ...business, ...catalogue, ...graph };

import { type Body, call } from '../api/client.ts';
import type { ApiKey } from '../api/types.ts';

/** The calls that act on the keys of one user: the user's own, or an operator's. */
export interface KeyCalls {
  list: (signal: AbortSignal) => Promise<readonly ApiKey[]>;
  create: (
    body: Omit<Body<'/admin/keys/create/'>, 'login'>,
  ) => Promise<{ /** Shown once. */ key: string }>;
  change: (body: Body<'/account/keys/limit/'>) => Promise<unknown>;
  rotate: (body: Body<'/account/keys/rotate/'>) => Promise<{ /** Shown once. */ key: string }>;
  revoke: (id: string) => Promise<unknown>;
}

export const ownKeys: KeyCalls = {
  list: async (signal) => {
    const answer = await call('/account/keys/', {}, { signal });
    return 'keys' in answer ? answer.keys : [];
  },
  create: async (body) => {
    const answer = await call('/account/keys/', body);
    return { key: 'key' in answer ? answer.key : '' };
  },
  change: (body) => call('/account/keys/limit/', body),
  rotate: (body) => call('/account/keys/rotate/', body),
  revoke: (id) => call('/account/keys/', { revoke: id }),
};

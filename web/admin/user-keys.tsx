import { call } from '../api/client.ts';
import type { KeyCalls } from '../keys/calls.ts';
import { Keys } from '../keys/keys.tsx';
import type { ShownUser } from './user.tsx';

/** The API keys of one user. */
export function UserKeys({ user: { login, role } }: { user: ShownUser }) {
  const calls: KeyCalls = {
    list: async (signal) => (await call('/admin/keys/', { login }, { signal })).keys,
    create: (body) => call('/admin/keys/create/', { login, ...body }),
    change: (body) => call('/admin/keys/limit/', body),
    rotate: (body) => call('/admin/keys/rotate/', body),
    revoke: (id) => call('/admin/keys/revoke/', { id }),
  };
  return <Keys calls={calls} role={role} />;
}

import type { FunctionComponent } from 'preact';

/** An area of the page. Its code is loaded when it is first opened. */
export interface Area {
  name: AreaName;
  /** Whether only operators and admins see it. */
  forOperators?: boolean;
  load: () => Promise<FunctionComponent<AreaProps>>;
}

export interface AreaProps {
  /** The rest of the route after the area's name: `ROOM` of `chat/ROOM`. */
  rest: string;
}

export type AreaName = 'chat' | 'spend' | 'trust' | 'account' | 'admin' | 'developers';

export const areas: readonly Area[] = [
  { name: 'chat', load: async () => (await import('../chat/chat.tsx')).Chat },
  { name: 'spend', load: async () => (await import('../spend/spend.tsx')).Spend },
  { name: 'trust', load: async () => (await import('../trust/trust.tsx')).Trust },
  { name: 'account', load: async () => (await import('../account/account.tsx')).Account },
  {
    name: 'admin',
    forOperators: true,
    load: async () => (await import('../admin/load.ts')).loadAdmin(),
  },
  {
    name: 'developers',
    load: async () => (await import('../developers/developers.tsx')).Developers,
  },
];

/** The area that opens first. */
export const firstArea: AreaName = 'chat';

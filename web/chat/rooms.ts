import { signal } from '@preact/signals';
import { call } from '../api/client.ts';
import type { Model, Room } from '../api/types.ts';
import { t } from '../i18n/index.ts';

const PAGE = 100;

/** The loaded rooms of the user, the most recently used first. */
export const rooms = signal<readonly Room[]>([]);
/** Whether the server has more rooms than are loaded. */
export const hasMoreRooms = signal(false);
/** The models that the user may send to. */
export const models = signal<readonly Model[]>([]);

/** How often rooms were renamed or deleted: a list that was requested earlier does not show these changes. */
let changes = 0;

/** @throws ApiError */
export async function loadRooms(): Promise<void> {
  const seen = changes;
  const answer = await call('/ai/rooms/', { limit: PAGE });
  if (seen !== changes) return loadRooms();
  rooms.value = answer.rooms;
  hasMoreRooms.value = answer.rooms.length === PAGE;
}

/** @throws ApiError */
export async function loadMoreRooms(): Promise<void> {
  const before = rooms.value.at(-1)?.room_id;
  const answer = await call('/ai/rooms/', { limit: PAGE, before });
  rooms.value = [...rooms.value, ...answer.rooms];
  hasMoreRooms.value = answer.rooms.length === PAGE;
}

/** @throws ApiError */
export async function loadModels(): Promise<void> {
  models.value = (await call('/ai/settings/', {})).ai.filter(
    ({ modality }) => modality === 'text' || modality === 'image',
  );
}

/** @returns the id of a new room @throws ApiError */
export async function createRoom(): Promise<string> {
  return (await call('/ai/room/', {})).room_id;
}

/** @throws ApiError */
export async function deleteRoom(id: string): Promise<void> {
  await call('/ai/room/delete/', { room_id: id });
  changes++;
  rooms.value = rooms.value.filter((room) => room.room_id !== id);
}

/** @throws ApiError */
export async function renameRoom(id: string, title: string): Promise<void> {
  const renamed = await call('/ai/room/rename/', { room_id: id, title });
  changes++;
  rooms.value = rooms.value.map((room) =>
    room.room_id === id ? { ...room, title: renamed.title } : room,
  );
}

/** The name of a room. */
export function nameOf({ title }: Room): string {
  return title === '' ? t().chat.untitled : title;
}

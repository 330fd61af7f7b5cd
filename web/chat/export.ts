import { call } from '../api/client.ts';
import type { HistoryItem, Room } from '../api/types.ts';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { saveFile } from '../lib/save-file.ts';
import { micro } from '../lib/money.ts';
import { nameOf } from './rooms.ts';

/** How many messages are requested at a time. */
const PAGE = 500;

/** Saves all messages of a room as a file. @throws ApiError */
export async function exportRoom(room: Room, format: 'md' | 'json'): Promise<void> {
  const messages = await allMessages(room.room_id);
  const name = `${nameOf(room).replaceAll(/[^\p{L}\p{N} ._-]/gu, '_')}.${format}`;
  if (format === 'json') {
    const text = JSON.stringify({ ...room, messages }, undefined, 2);
    saveFile(name, new Blob([text], { type: 'application/json' }));
  } else {
    saveFile(name, new Blob([markdownOf(room, messages)], { type: 'text/markdown' }));
  }
}

async function allMessages(roomId: string): Promise<HistoryItem[]> {
  const pages: HistoryItem[][] = [];
  for (let before: string | undefined; ;) {
    const body = { room_id: roomId, include_failed: true, limit: PAGE, before };
    const { data } = await call('/ai/history/', body);
    pages.unshift(data);
    if (data.length < PAGE) return pages.flat();
    before = data[0]?.message_id;
  }
}

function markdownOf(room: Room, messages: readonly HistoryItem[]): string {
  const words = t().chat;
  const parts = messages.map((item) => {
    const time = new Date(Number(item.created_at) * 1000).toISOString();
    const cost = rubles(micro(item.cost_request) + micro(item.cost_response));
    const answer = item.response === '' ? `*${item.error_code}*` : item.response;
    return `## ${words.you}, ${time}\n\n${item.request}\n\n## ${item.ai.model}, ${cost}\n\n${answer}\n`;
  });
  const head = `# ${nameOf(room)}\n\n${words.sum(rubles(micro(room.spend)))}\n`;
  return [head, ...parts].join('\n');
}

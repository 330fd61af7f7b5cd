import { openGateway } from '../../tests/support/gateway.ts';
import { logIn } from '../../tests/web/support/browser.ts';
import { fillRoom } from '../../tests/web/support/full-room.ts';
import { type ChatPage, MESSAGES } from './chat-page.ts';
import { PACED } from './paced-provider.ts';

const MODEL = 101;

/** Our own page, with a room of many messages. @param provider the address of the model */
export async function zastavaPage(provider: string): Promise<ChatPage> {
  await using stack = new AsyncDisposableStack();
  const gateway = stack.use(await openGateway('sqlite', { catalogue: catalogueOf(provider) }));
  const address = gateway.listen();
  const user = await gateway.addUser({ credit: 1_000_000 });
  const room = await gateway.room(user.token);
  await gateway.data('/ai/send/', { room_id: room, ai: MODEL, message: 'one' }, user);
  await fillRoom(gateway, { userId: user.userId, room }, MESSAGES);
  const kept = stack.move();
  return {
    name: 'Zastava',
    logIn: (page) => logIn(page, address, user.login),
    empty: `${address}/app/chat`,
    room: `${address}/app/chat/${room}`,
    box: (page) => page.getByRole('textbox', { name: 'Message' }),
    scroller: '.messages',
    choose: async (page) => void (await page.getByLabel('Model').selectOption(String(MODEL))),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function catalogueOf(base_url: string): string {
  const model = { id: MODEL, provider: 'paced', model: PACED, description: 'Paced', type: 'TEXT' };
  const limits = { max_input_tokens: 100_000, max_output_tokens: 10_000 };
  const price = { cost_input_tokens_rub: 1, cost_output_tokens_rub: 1 };
  return JSON.stringify({
    providers: { paced: { kind: 'openai', base_url, api_key: 'none' } },
    models: [{ ...model, ...limits, ...price, is_chat_mode_allowed: 1 }],
  });
}

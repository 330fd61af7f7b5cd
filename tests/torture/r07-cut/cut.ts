/**
 * Promise R7: an answer that is cut between provider and gateway ends in an error in every client, wherever it is cut,
 * as a clean end would make half an answer look whole. Nothing is charged.
 */
import { question, readAll } from '../../clients/client.ts';
import { kinds } from '../../clients/kinds.ts';
import { ScriptedProvider } from '../../support/scripted-provider.ts';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { catalogueFor, modelsOfAllWays } from '../support/catalogue.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { postOk, newRoom } from '../support/client.ts';
import { entry, send, type ClientEntry } from '../support/client-log.ts';
import { between, randomFrom } from '../support/random.ts';
import { openRelay, type Relay } from '../support/relay.ts';
import { openStand } from '../support/stand.ts';
import { wayNames } from '../support/ways.ts';

const deltas = Array.from({ length: 12 }, (_, i) => `слово ${i} `);
/** What follows a body: without it the answer is complete nevertheless. */
const LAST_CHUNK = '\r\n0\r\n\r\n';
/** Some answers are late as well. */
const DELAY_MS_MAX = 5;
/** Sends a request as a client does: resolves to the whole answer, or rejects. */
type Read = (message: string) => Promise<unknown>;

interface Reader {
  name: string;
  read: Read;
  /** False for answers in one piece. */
  isStream: boolean;
}

export const cut = campaign({
  name: 'cut',
  promise: 'R7',
  title: 'a cut stream is visible',
  full: { points: 100 },
  small: { points: 1 },
  run: runCut,
});

async function runCut({ dialect, seed, sizes }: Run<{ points: number }>): Promise<Report> {
  const random = randomFrom(seed);
  await using provider = await ScriptedProvider.start();
  await using relay = await openRelay({ port: Number(new URL(provider.baseUrl).port) });
  const catalogue = catalogueFor(
    { journal: { baseUrl: `http://127.0.0.1:${relay.port}/v1` } },
    modelsOfAllWays,
  );
  await using stand = await openStand(dialect, { catalogue });
  const { url } = await stand.start();
  const token = await stand.fillPurse(url);
  const log: ClientEntry[] = [];
  const clients = await readers(url, token, log);
  await provider.script({ deltas });
  const lengths = await lengthsUntilFinish(relay, clients);
  log.splice(0);
  const endings: Record<string, number> = {};
  const broken: string[] = [];
  for (let point = 0; point < sizes.points; point++) {
    const share = (point + random()) / sizes.points;
    relay.delayMs = between(0, DELAY_MS_MAX, random);
    for (const { name, read, isStream } of clients) {
      const turn = between(isStream ? 0 : 1, 3, random);
      const length = lengths.get(name) ?? 0;
      const where = await cutAt(provider, relay, { share, length, turn });
      const error = await read(`${name}, point ${point}`).then(
        (answer) =>
          void broken.push(`${name}, ${where}: ended well with ${JSON.stringify(answer)}`),
        () => name,
      );
      if (error !== undefined) endings[name] = (endings[name] ?? 0) + 1;
    }
  }
  // The calls that were made to measure are whole; every other one was cut.
  const { findings, compared } = await checkBooks({
    database: stand.database,
    calls: [],
    log,
    died: true,
  });
  const charged = compared.charged - clients.length;
  return {
    figures: { errors: endings, messages: compared.messages - clients.length },
    broken: [
      ...broken,
      ...linesOf({ openHolds: findings.openHolds, brokenBooks: findings.brokenBooks }),
      ...unless(charged === 0, `${charged} cut streams were charged`),
    ],
  };
}

/** Our own interface, five libraries that people use, and the interfaces that these lack. */
async function readers(url: string, token: string, log: ClientEntry[]): Promise<Reader[]> {
  const { key } = await postOk(url, token, '/account/keys/', { name: 'torture' });
  const roomId = await newRoom(url, token);
  const reading =
    (of: Pick<ClientEntry, 'way' | 'socket' | 'stream' | 'background'>): Read =>
    async (message) => {
      const line = entry({ message, roomId, ...of });
      log.push(line);
      const seen = await send(url, token, line);
      if (seen.how !== 'answered' && seen.how !== 'abridged') throw new Error(JSON.stringify(seen));
      return seen;
    };
  const libraries = kinds.map(({ name, make }): Reader => {
    const client = make({ origin: url, key: String(key) });
    const model = 'journal/journal-text';
    const read: Read = (message) => readAll(client.stream({ ...question(message), model }));
    return { name, read, isStream: true };
  });
  const whole = wayNames.map((way): Reader => ({
    name: way,
    read: reading({ way }),
    isStream: false,
  }));
  return [
    { name: 'native', read: reading({ stream: true }), isStream: true },
    ...libraries,
    {
      name: 'streamed completion',
      read: reading({ way: 'completion', stream: true }),
      isStream: true,
    },
    {
      name: 'WebSocket',
      read: reading({ way: 'response', socket: true, stream: true }),
      isStream: true,
    },
    {
      name: 'background',
      read: reading({ way: 'response', background: true }),
      isStream: true,
    },
    ...whole,
  ];
}

/** Bytes of an answer before its finish; measured with a whole answer for each client. */
async function lengthsUntilFinish(relay: Relay, clients: Reader[]): Promise<Map<string, number>> {
  const lengths = new Map<string, number>();
  for (const { name, read, isStream } of clients) {
    const seen = relay.watch();
    await read(`${name}, whole`);
    const bytes = seen();
    const length = isStream
      ? bytes.indexOf('"finish_reason":"stop"')
      : bytes.length - LAST_CHUNK.length;
    if (length <= 0) throw new Error(`the answer of the provider to ${name} has no finish`);
    lengths.set(name, length);
  }
  return lengths;
}

/** Three ways to end too soon: the connection is reset, or closed, or the answer ends as if it were whole. */
async function cutAt(
  provider: ScriptedProvider,
  relay: Relay,
  { share, length, turn }: { share: number; length: number; turn: number },
): Promise<string> {
  const bytes = 1 + Math.floor(share * (length - 1));
  const isWire = turn > 0;
  await provider.script(isWire ? { deltas } : { deltas, breakAfter: { part: share, how: 'end' } });
  if (isWire) relay.cutAfter(bytes, turn === 1 ? 'reset' : 'end');
  return isWire
    ? `${turn === 1 ? 'reset' : 'closed'} at byte ${bytes}`
    : `ended at ${share.toFixed(3)} of it`;
}

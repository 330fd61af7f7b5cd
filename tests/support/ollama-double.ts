/**
 * A test double of an Ollama on this machine: it lists and describes models and answers with the wire examples of
 * `tests/fixtures/providers/ollama`, which were written from its public documentation.
 *
 *   await using ollama = OllamaDouble.start();
 *   await installation.serve({ OLLAMA_HOST: ollama.host });
 *   ollama.remove('gemma3:4b');
 *   ollama.away = true;
 */
import { join } from 'node:path';

const fixtures = join(import.meta.dir, '../fixtures/providers/ollama');

export const ollamaFixture = async (name: string): Promise<Record<string, unknown>> =>
  (await Bun.file(join(fixtures, name)).json()) as Record<string, unknown>;

interface Row {
  name: string;
}

export class OllamaDouble implements AsyncDisposable {
  /** Every request, as `GET /api/tags`; descriptions with the model, as `POST /api/show gemma3:4b`. */
  readonly calls: string[] = [];
  /** While true, every answer is a 503. */
  away = false;
  readonly #removed = new Set<string>();
  readonly #server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => this.#answer(request),
  });

  static start(): OllamaDouble {
    return new OllamaDouble();
  }

  /** For OLLAMA_HOST. */
  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  remove(model: string): void {
    this.#removed.add(model);
  }

  bringBack(model: string): void {
    this.#removed.delete(model);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const body = request.method === 'POST' ? ((await request.json()) as { model: string }) : null;
    const model = pathname === '/api/show' ? ` ${body?.model}` : '';
    this.calls.push(`${request.method} ${pathname}${model}`);
    if (this.away) return Response.json({ error: 'away' }, { status: 503 });
    if (pathname === '/api/tags') return Response.json({ models: await this.#models() });
    const isThere = (await this.#models()).some(({ name }) => name === body?.model);
    if (pathname === '/api/show' && body && isThere) {
      return Response.json(await ollamaFixture(`show-${body.model.split(':')[0]}.json`));
    }
    if (pathname === '/v1/chat/completions' && body && isThere) {
      return Response.json({ ...(await ollamaFixture('chat.json')), model: body.model });
    }
    return Response.json({ error: `model '${body?.model}' not found` }, { status: 404 });
  }

  async #models(): Promise<Row[]> {
    const { models } = (await ollamaFixture('tags.json')) as { models: Row[] };
    return models.filter(({ name }) => !this.#removed.has(name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

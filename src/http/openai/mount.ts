import type { Context, Hono } from 'hono';
import { DomainError } from '../../lib/errors.ts';
import { authenticate, readCompatibleCall, type CompatibleCall } from '../compatible/caller.ts';
import { modelNamed } from '../compatible/model-names.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import { toDomainError } from '../errors.ts';
import type { RequestFacts } from '../request-facts.ts';
import { chatCompletions } from './chat-completions.ts';
import { embeddings } from './embeddings.ts';
import { openAiFailure } from './errors.ts';
import { imageGenerations } from './images.ts';
import { modelView } from './models.ts';

type Answer = (parts: CompatibleParts, call: CompatibleCall) => Promise<Response>;
type OpenAiContext = Context<{ Bindings: RequestFacts }>;

const posts: Record<string, Answer> = {
  '/v1/chat/completions': chatCompletions,
  '/v1/images/generations': imageGenerations,
  '/v1/embeddings': embeddings,
};

/** The OpenAI-compatible interface: same users, keys, holds and charges, in OpenAI's shapes. */
export function mountOpenAi(app: Hono<{ Bindings: RequestFacts }>, parts: CompatibleParts): void {
  for (const [path, answer] of Object.entries(posts)) {
    app.post(path, (c) =>
      guarded(c, parts, async () =>
        answer(parts, await readCompatibleCall(parts.authenticator, c.req.raw, c.env)),
      ),
    );
    app.all(path, () =>
      openAiFailure(new DomainError('method_not_allowed', `${path} takes POST only`)),
    );
  }
  app.get('/v1/models', (c) =>
    guarded(c, parts, async () => {
      const { userId } = await authenticate(parts.authenticator, c.req.raw);
      const models = await parts.modelsOf(userId);
      return Response.json({ object: 'list', data: models.map(modelView) });
    }),
  );
  // A model's name may have a slash in it.
  app.get('/v1/models/*', (c) =>
    guarded(c, parts, async () => {
      const { userId } = await authenticate(parts.authenticator, c.req.raw);
      const name = decodeURIComponent(c.req.path.slice('/v1/models/'.length));
      return Response.json(modelView(modelNamed(await parts.modelsOf(userId), name)));
    }),
  );
}

/** Every error in OpenAI's shape. */
async function guarded(
  c: OpenAiContext,
  { log }: CompatibleParts,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const known = toDomainError(error);
    if (known.code === 'internal_error') {
      log.error({ requestId: c.env.requestId, err: error }, 'request failed');
    }
    return openAiFailure(known);
  }
}

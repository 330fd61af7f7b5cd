/**
 * The models of the fuzzed requests: one of each modality in OpenAI's dialect, and texts in Anthropic's and Gemini's,
 * so that every request is converted like a real one. The upstreams answer well, except for vectors that are too long.
 */
import { ScriptedProvider } from '../../support/scripted-provider.ts';
import { startWireExamples } from '../../support/wire-examples.ts';
import { catalogueFor, modelOf, modelsOfAllWays, TEXT } from '../support/catalogue.ts';
import type { Modality } from '../support/ways.ts';

const kinds = ['anthropic', 'gemini'] as const;
const FIRST_ID = 111;
/** Longer vectors are refused, as real providers do: one of 2³¹ numbers would take all memory of the machine. */
const DIMENSIONS_MAX = 8_192;
const tooLong = { status: 400, body: { error: { message: 'dimensions is too large' } } };
const textModels = [TEXT, ...kinds.map((_, at) => FIRST_ID + at)];

export interface FuzzUpstreams extends AsyncDisposable {
  catalogue: string;
  /** Frees the recorded calls. */
  forget(): void;
}

export async function startUpstreams(): Promise<FuzzUpstreams> {
  await using stack = new AsyncDisposableStack();
  const scripted = stack.use(await ScriptedProvider.start());
  await scripted.script(({ body }) =>
    Number(body['dimensions'] ?? 1) > DIMENSIONS_MAX ? tooLong : 'good',
  );
  const { wire, baseUrl } = await startWireExamples();
  stack.use(wire);
  const others = kinds.map((kind) => [kind, { kind, baseUrl: baseUrl(kind) }] as const);
  const catalogue = catalogueFor(
    { journal: { baseUrl: scripted.baseUrl }, ...Object.fromEntries(others) },
    [
      ...modelsOfAllWays,
      ...kinds.map((kind, at) => ({
        id: FIRST_ID + at,
        model: `${kind}-text`,
        type: 'TEXT' as const,
        provider: kind,
      })),
    ],
  );
  const kept = stack.move();
  return {
    catalogue,
    forget() {
      scripted.calls.splice(0);
      wire.calls.splice(0);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The models of an epoch: the dialects of texts take turns. */
export function modelsFor(turn: number): Readonly<Record<Modality, number>> {
  return { ...modelOf, text: textModels[turn % textModels.length] ?? TEXT };
}

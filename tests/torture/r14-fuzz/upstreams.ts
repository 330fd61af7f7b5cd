/**
 * What the fuzzed requests ask: a model of each modality in OpenAI's dialect, and texts in Anthropic's and Gemini's, so
 * that every request is converted as a real one. The upstreams answer well, whatever they are asked.
 */
import { ScriptedProvider } from '../../support/scripted-provider.ts';
import { startWireExamples } from '../../support/wire-examples.ts';
import { catalogueFor, modelOf, modelsOfAllWays, TEXT } from '../support/catalogue.ts';
import type { Modality } from '../support/ways.ts';

const kinds = ['anthropic', 'gemini'] as const;
const FIRST_ID = 111;
const textModels = [TEXT, ...kinds.map((_, at) => FIRST_ID + at)];

export interface FuzzUpstreams extends AsyncDisposable {
  catalogue: string;
  /** Frees what was recorded of the calls. */
  forget(): void;
}

export async function startUpstreams(): Promise<FuzzUpstreams> {
  await using stack = new AsyncDisposableStack();
  const scripted = stack.use(await ScriptedProvider.start());
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

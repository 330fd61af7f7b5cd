import { z } from 'zod';
import type { Catalogue } from '../../catalogue/index.ts';
import { adminOperation } from '../operation.ts';
import { emptyBody, model } from '../schemas.ts';

const origin = z.enum(['builtin', 'preset', 'file']);

export const catalogueOperation = (catalogue: Catalogue) =>
  adminOperation({
    path: '/admin/catalogue/',
    unlogged: true,
    summary: 'Show the catalogue in use',
    description: 'Without secrets: providers’ keys are shown as references, or as `(set)`.',
    body: emptyBody,
    result: z.object({
      revision: z.int().meta({ description: 'Grows with every change.' }),
      providers: z.array(
        z.object({
          code: z.string(),
          origin,
          kind: z.string(),
          base_url: z.string().nullable(),
          api_key: z.string().nullable(),
          api_keys: z
            .string()
            .nullable()
            .meta({ description: 'Several keys instead of one, each with `*` and its weight.' }),
          max_concurrent: z.int().nullable(),
          max_requests_per_minute: z.int().nullable(),
          timeout_seconds: z.number(),
          options: z.record(z.string(), z.string()).readonly(),
        }),
      ),
      models: z.array(model.extend({ origin, fallbacks: z.array(z.int()).readonly() })),
    }),
    handle: async () => {
      await catalogue.refresh();
      return catalogue.show();
    },
  });

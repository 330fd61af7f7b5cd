import { z } from 'zod';
import type { CatalogueModel } from '../../catalogue/index.ts';
import { userOperation } from '../operation.ts';
import { emptyBody, model } from '../schemas.ts';

/** @param modelsOf the models that a user may use, by id */
export const settingsOperation = (modelsOf: (userId: number) => Promise<CatalogueModel[]>) =>
  userOperation({
    path: '/ai/settings/',
    right: 'chat',
    summary: 'List the models with their limits and prices',
    body: emptyBody,
    result: z.object({ ai: z.array(model) }),
    handle: async (_, { caller }) => ({
      ai: (await modelsOf(caller.userId)).map(({ view }) => view),
    }),
  });

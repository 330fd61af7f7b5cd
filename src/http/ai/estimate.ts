import { toRubles } from '../../lib/money.ts';
import { z } from 'zod';
import type { Catalogue } from '../../catalogue/index.ts';
import type { Estimator } from '../../chat/index.ts';
import { userOperation } from '../operation.ts';
import { model, rubles } from '../schemas.ts';
import { exampleSend, sendBody, toSendInput } from './send-schemas.ts';

export const estimateOperation = (estimator: Estimator, catalogue: Catalogue) =>
  userOperation({
    path: '/ai/estimate/',
    right: 'chat',
    summary: 'Show the most that a send can cost',
    description: 'Takes the body of a send. Sends, holds and stores nothing.',
    body: sendBody,
    example: exampleSend,
    result: z.object({
      cost_max: rubles,
      input_tokens_max: z.int(),
      output_tokens_max: z.int(),
      context_used: z.int(),
      ai: model,
      warnings: z.array(z.string()),
    }),
    errors: ['room_not_found', 'model_not_found', 'input_too_long', 'chat_mode_not_allowed'],
    handle: async (body, { caller, request }) => {
      const estimate = await estimator.estimate(caller.userId, toSendInput(body, request));
      return {
        cost_max: toRubles(estimate.costMax),
        input_tokens_max: estimate.inputTokensMax,
        output_tokens_max: estimate.outputTokensMax,
        context_used: estimate.contextUsed,
        ai: await catalogue.versionView(estimate.versionId),
        warnings: estimate.warnings,
      };
    },
  });

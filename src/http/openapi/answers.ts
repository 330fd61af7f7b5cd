import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';

/** The header of every answer, for responses that are written out. */
export const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

/** An answer of plain text, or of another `type` that is read as text. */
export function textAnswer(
  description: string,
  { example, type = 'text/plain' }: { example: string; type?: string },
): ZodOpenApiResponseObject {
  return {
    description,
    headers: requestIdHeader,
    content: { [type]: { schema: z.string(), example } },
  };
}

/** Operations of YandexART and error bodies. */
import { z } from 'zod';
import { anything, label, section, text } from '../shared/wire.ts';

/** `{"id", "done", "response": {"image"}}`, or `{"id", "done", "error": {"code", "message"}}`. */
export const wireOperation = z.object({
  id: label,
  done: anything,
  error: section({ code: anything, message: anything }),
  response: section({ image: text }),
});

/** `{"error": {"grpcCode", "httpCode", "message"}}` or `{"error": "…", "code", "message"}` */
export const wireError = section({
  error: section({ grpcCode: anything, message: anything }),
  code: anything,
  message: anything,
});

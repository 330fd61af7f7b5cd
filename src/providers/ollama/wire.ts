/** What Ollama's own API answers. */
import { anything, label, list, section } from '../shared/wire.ts';

/** Set for models that run in Ollama's cloud. */
const remote = { remote_host: label, remote_model: label };

/** `GET /api/tags` */
export const wireTags = section({ models: list });
export const wireTag = section({
  model: label,
  name: label,
  digest: label,
  details: section({ parameter_size: label, quantization_level: label, family: label }),
  ...remote,
});

/** `POST /api/show` */
export const wireShow = section({
  capabilities: list,
  parameters: anything,
  model_info: anything,
  ...remote,
});

/** `{"error": "…"}` */
export const wireError = section({ error: anything });

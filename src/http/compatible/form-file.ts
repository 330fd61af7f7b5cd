import { z } from 'zod';
import { FormFile } from '../body/form.ts';

export const formFile = z
  .custom<FormFile>((value) => value instanceof FormFile, 'must be a file')
  .meta({ override: { type: 'string', contentMediaType: 'application/octet-stream' } });

import { exportUser, type ExportParts } from '../../chat/index.ts';
import { successStream } from '../json-stream.ts';
import { userOperation } from '../operation.ts';
import { EXPORTS_PER_MINUTE } from '../read-limits.ts';
import { emptyBody } from '../schemas.ts';
import { exportDocument } from './export-document.ts';

export const exportOperation = (parts: ExportParts) =>
  userOperation({
    path: '/account/export/',
    summary: 'Export all data about you',
    description: 'One JSON document, streamed.',
    body: emptyBody,
    result: exportDocument,
    slow: true,
    callsPerMinute: EXPORTS_PER_MINUTE,
    handle: async (_, { caller }) => successStream(exportUser(parts, caller.userId)),
  });

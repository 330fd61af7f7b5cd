import { z } from 'zod';
import { exportUser, type ExportParts } from '../../chat/index.ts';
import { exportDocument } from '../account/export-document.ts';
import { successStream } from '../json-stream.ts';
import { adminOperation } from '../operation.ts';
import { userLogin } from './user-view.ts';

export const userExportOperation = (parts: ExportParts) =>
  adminOperation({
    path: '/admin/users/export/',
    summary: 'Export all data about a user',
    description: 'One JSON document, streamed.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: exportDocument,
    errors: ['not_found'],
    slow: true,
    handle: async ({ login }) => {
      const { id } = await parts.users.find(login);
      return successStream(exportUser(parts, id));
    },
  });

import { z } from 'zod';
import { rubles, unixSeconds } from '../schemas.ts';
import { accountFields, apiKey, trustAllowance } from './schemas.ts';

/** What `exportUser` writes. */

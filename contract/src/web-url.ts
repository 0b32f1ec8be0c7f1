import * as z from 'zod';
import { phrase } from './phrase.ts';

/** A full http or https address, at most 2,048 characters. */
export const webUrl = z
  .string()
  .max(2048, phrase('validation.url'))
  .pipe(z.url({ protocol: /^https?$/, hostname: /./, error: phrase('validation.url') }));

import * as z from 'zod';
import { phrase } from './phrase.ts';
import { isWebLink } from './web-link.ts';

/** A full http or https URL without a user name, at most 2,048 characters. */
export const webUrl = z
  .string()
  .max(2048, phrase('validation.url'))
  .refine(isWebLink, phrase('validation.url'))
  .pipe(z.url({ protocol: /^https?$/, hostname: /./, error: phrase('validation.url') }));

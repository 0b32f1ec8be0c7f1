import * as z from 'zod';
import { phrase } from './phrase.ts';

/** A merchant's own order number: 1–64 visible ASCII characters. */
export const outTradeNo = z
  .string(phrase('validation.outTradeNo'))
  .regex(/^[\x21-\x7e]{1,64}$/, phrase('validation.outTradeNo'));

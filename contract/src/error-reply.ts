import * as z from 'zod';
import { type ErrorCode, errorStatus } from './errors.ts';

const codes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** The body of every error reply. `message` is in the language that `Accept-Language` asks for. */
export const errorReply = z.object({
  message: z.string(),
  code: z.enum(codes),
  request_id: z.string(),
  /** Data about the error, such as the `earlier` payout of `similar_payout`. */
  details: z.record(z.string(), z.unknown()).optional(),
  /** Messages by field, for `validation_failed`. */
  errors: z.record(z.string(), z.array(z.string())).optional(),
});

export type ErrorReply = z.output<typeof errorReply>;

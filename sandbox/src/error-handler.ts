import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { BankError, statusByErrorCode } from './errors.ts';

const clientFault = z.object({ statusCode: z.int().min(400).max(499), message: z.string() });

/**
 * Replies to every failure with `{message, code, errors?}`. Unexpected errors are logged, and not revealed to
 * the caller.
 */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof BankError) {
      return reply.code(statusByErrorCode[error.code]).send({ message: error.message, code: error.code });
    }
    if (error instanceof z.ZodError) {
      const { fieldErrors, formErrors } = z.flattenError(error);
      const message = formErrors[0] ?? 'A field is missing or invalid.';
      return reply.code(422).send({ message, code: 'validation_failed', errors: fieldErrors });
    }
    const fault = clientFault.safeParse(error);
    if (fault.success) {
      return reply.code(fault.data.statusCode).send({ message: fault.data.message, code: 'malformed_body' });
    }
    request.log.error(error);
    return reply.code(500).send({ message: 'The bank failed.', code: 'internal_error' });
  });
  app.setNotFoundHandler(() => {
    throw new BankError('not_found', 'There is no such endpoint.');
  });
}

/** HTTP status of each error code that the bank returns. */
export const statusByErrorCode = {
  malformed_body: 400,
  invalid_signature: 401,
  not_found: 404,
  reference_used: 409,
  already_paid: 409,
  already_refused: 409,
  already_cancelled: 409,
  payment_under_way: 409,
  expired: 409,
  validation_failed: 422,
  internal_error: 500,
  paused: 503,
} as const;

/** A code that the bank's error replies carry in `code`. */
export type ErrorCode = keyof typeof statusByErrorCode;

/** A request that the bank refuses; the error handler turns it into `{message, code}` with the code's status. */
export class BankError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'BankError';
    this.code = code;
  }
}

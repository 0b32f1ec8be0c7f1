/**
 * Every error the product answers with: stable code → HTTP status. The sentence a person reads is the phrase
 * `errors.<code>` in the caller's language (a missing phrase does not compile: see phrases).
 */
export const errorStatus = {
  bad_request: 400,
  unauthenticated: 401,
  signature_missing: 401,
  signature_invalid: 401,
  signature_expired: 401,
  nonce_replayed: 401,
  forbidden: 403,
  two_factor_required: 403,
  address_not_allowed: 403,
  merchant_suspended: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  already_signed_in: 409,
  invalid_transition: 409,
  out_trade_no_used: 409,
  insufficient_funds: 409,
  channel_closed: 409,
  order_not_payable: 409,
  withdrawals_closed: 409,
  terms_changed: 409,
  topups_closed: 409,
  similar_payout: 409,
  similar_payout_unknown: 409,
  idempotency_in_flight: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  csrf_mismatch: 419,
  validation_failed: 422,
  idempotency_key_reused: 422,
  password_confirmation_required: 423,
  too_many_attempts: 429,
  too_many_requests: 429,
  internal: 500,
  channel_unavailable: 502,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

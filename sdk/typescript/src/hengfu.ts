/** Client of the Hengfu Open API. */
export { Hengfu } from './client.ts';
export { ConnectionError, HengfuError } from './errors.ts';
export type {
  Balance,
  BalanceEntry,
  Collection,
  EntryFilters,
  Filters,
  NewCollection,
  NewPayout,
  NewRefund,
  Payout,
  Refund,
  Settlement,
} from './names.ts';
export type { Options, RequestOptions } from './options.ts';
export { type SignedParts, sign } from './signature.ts';
export {
  type CallbackEvent,
  CallbackVerificationError,
  type VerifyOptions,
  verifyCallback,
} from './webhooks.ts';

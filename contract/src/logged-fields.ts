/** Maximum bytes that the request log keeps of a body. */
export const loggedBodyBytes = 4096;

/**
 * The way in which the request log keeps a field: `shown` as it is; `text` with emails and long numbers masked; `lastFour` characters;
 * `firstLetter`; `origin`, the server of an address and nothing behind it.
 */
export type FieldMask = 'shown' | 'text' | 'lastFour' | 'firstLetter' | 'origin';

/**
 * The fields of signed calls and their replies that the request log keeps, by name, wherever they are in a body or a query. Values of
 * all other fields are hidden, so that nothing that we do not know of is ever kept.
 */
export const loggedFields: Readonly<Record<string, FieldMask>> = {
  trade_no: 'shown',
  out_trade_no: 'shown',
  refund_no: 'shown',
  out_refund_no: 'shown',
  status: 'shown',
  amount: 'shown',
  fee: 'shown',
  currency: 'shown',
  channel: 'shown',
  expiresIn: 'shown',
  confirmSimilar: 'shown',
  refunded: 'shown',
  refundPending: 'shown',
  approvalState: 'shown',
  refundApprovalState: 'shown',
  createdAt: 'shown',
  expiresAt: 'shown',
  paidAt: 'shown',
  endedAt: 'shown',
  refundedAt: 'shown',
  rejectedAt: 'shown',
  failureCode: 'shown',
  rejectCode: 'shown',
  subject: 'text',
  reason: 'text',
  failureReason: 'text',
  rejectReason: 'text',
  cashierUrl: 'origin',
  notifyUrl: 'origin',
  returnUrl: 'origin',
  payee: 'firstLetter',
  payeeAccount: 'lastFour',
  taxId: 'lastFour',
  bankReference: 'lastFour',
  bank: 'shown',
  bankName: 'shown',
  branchName: 'shown',
  ifsc: 'shown',
  accountType: 'shown',
  available: 'shown',
  locked: 'shown',
  balance: 'shown',
  unsettled: 'shown',
  total: 'shown',
  code: 'shown',
  request_id: 'shown',
  instance: 'shown',
  message: 'text',
  title: 'text',
  detail: 'text',
  type: 'shown',
  // Of callbacks.
  timestamp: 'shown',
  limit: 'shown',
  created_from: 'shown',
  created_to: 'shown',
  archived_before: 'shown',
  settlement_no: 'shown',
  entry_no: 'shown',
  subject_no: 'shown',
  orderCount: 'shown',
  refundCount: 'shown',
  net: 'shown',
  cutOffAt: 'shown',
  settledAt: 'shown',
  // Details of errors.
  scope: 'shown',
  versions: 'shown',
  quota: 'shown',
  left: 'shown',
  shortfall: 'shown',
};

/** Fields of an error reply in which the names are those of the caller's fields, and the values are our sentences about them. */
export const loggedSentences: readonly string[] = ['errors'];

/**
 * Fields of signed calls whose own values the request log hides on purpose. Cursors are of no use to a reader. `items` and `details` contain
 * fields, each of which is decided by its own name.
 */
export const hiddenFields: readonly string[] = ['remark', 'cursor', 'next_cursor', 'items', 'details'];

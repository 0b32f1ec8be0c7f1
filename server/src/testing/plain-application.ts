/** Fields that applications for payouts have in common in tests: a signed call, without anything optional. */
export const plainApplication = {
  bank: null,
  bankName: null,
  branchName: null,
  ifsc: null,
  accountType: null,
  taxId: null,
  remark: null,
  notifyUrl: null,
  source: 'openApi',
  createdBy: 'key:x',
  batchNo: null,
  batchLine: null,
} as const;

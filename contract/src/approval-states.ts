/** States of a request for approval. Only `waiting` can change; `approved` is the only end after which anything happens. */
export const approvalStates = ['waiting', 'approved', 'refused', 'withdrawn', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

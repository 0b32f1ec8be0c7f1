import type { AccessSetting } from '@hengfu/contract/access-requests';
import type { MerchantTx } from '#db/database.ts';
import type { RequestEnd } from '#domain/approvals.sql.ts';
import { type NoticeFacts, writeNotice } from '#domain/notices.sql.ts';
import type { ApprovalRequest } from '../approvals.sql.ts';

const noticeOf = {
  approved: 'requestApproved',
  refused: 'requestRefused',
  expired: 'requestExpired',
} as const;

/**
 * Notifies the person who asked of the end of a request, unless they have withdrawn it. A program learns it by the callbacks of its payouts, and by
 * reading its collections. People who
 * may change the access key need not see requests, so the notice of such a request says why it was refused.
 */
export async function notifyRequester(
  tx: MerchantTx,
  asked: ApprovalRequest,
  { state, reason }: { state: RequestEnd['state'] | 'approved'; reason: string | null },
): Promise<void> {
  const [, userId] = /^user:(\d+)$/.exec(asked.requested_by) ?? [];
  if (userId === undefined || state === 'withdrawn') return;
  const setting = accessSettingOf(asked);
  const facts: NoticeFacts = setting ? { setting, ...(reason !== null && { reason }) } : {};
  await writeNotice(tx, {
    merchantId: tx.merchantId,
    userId: BigInt(userId),
    kind: noticeOf[state],
    subject: asked.request_no,
    facts,
  });
}

/** The setting that a request changes; undefined if it does not concern the access. */
function accessSettingOf({ change }: ApprovalRequest): AccessSetting | undefined {
  return change && 'setting' in change ? change.setting : undefined;
}

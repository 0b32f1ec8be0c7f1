import { type Currency, formatAmount } from '@hengfu/contract/money';
import { type AccessChange, accessChanges, type NoticeRow, noticeRow } from '@hengfu/contract/notices';
import type { Notice } from './notices.sql.ts';

/** Converts a notice to its API form, with the details that its kind has. */
export function toNoticeRow({ id, kind, subject, facts, createdAt, isRead }: Notice): NoticeRow {
  const {
    currency,
    amountMinor,
    rows,
    ready,
    failed,
    rejected,
    list,
    reason,
    change,
    address,
    userAgent,
    setting,
    name,
    endsAt,
  } = facts;
  const home = currency as Currency | undefined;
  return noticeRow.parse({
    id: String(id),
    kind,
    subject,
    createdAt: createdAt.toISOString(),
    isRead,
    ...(home &&
      amountMinor && { money: { amount: formatAmount(BigInt(amountMinor), home), currency: home } }),
    ...(rows !== undefined && { batch: { rows, failed, rejected } }),
    ...(ready !== undefined && { exports: { ready, failed } }),
    ...(list && { export: { list, reason: reason ?? null } }),
    ...(setting && { asked: { setting, reason: reason ?? null } }),
    ...(endsAt && { key: { name: name ?? null, endsAt } }),
    ...(isKnownChange(change) && {
      access: { change, address: address ?? null, userAgent: userAgent ?? null },
    }),
    ...(address && !change && { signIn: { address, userAgent: userAgent ?? null } }),
  });
}

/** Whether this version knows a change. Newer processes, which may run beside this one, may record others. */
function isKnownChange(change: string | undefined): change is AccessChange {
  return accessChanges.some((known) => known === change);
}

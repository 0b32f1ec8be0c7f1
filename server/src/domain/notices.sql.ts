import type { AccessChange, NoticeKind } from '@hengfu/contract/notices';
import type { Tx } from '#db/database.ts';
import type { Person, RequestInfo } from './caller.ts';

/** What is known of a notice beyond its subject, as codes and figures; amounts in minor units, as text. */
export interface NoticeFacts {
  currency?: string;
  amountMinor?: string;
  rows?: number;
  failed?: number;
  rejected?: number;
  list?: string;
  reason?: string;
  change?: AccessChange;
  address?: string;
  userAgent?: string;
}

/** Something that people of a merchant should know of. `userId` absent: everybody who may read its kind. */
export interface NewNotice {
  merchantId: bigint;
  kind: NoticeKind;
  userId?: bigint;
  /** Number of the order, batch or export. */
  subject?: string;
  facts: NoticeFacts;
}

/** Writes a notice, in the transaction of the event that it tells of. */
export async function writeNotice(
  tx: Tx,
  { merchantId, kind, userId, subject, facts }: NewNotice,
): Promise<void> {
  await tx.prepared
    .insertInto('notice')
    .values({
      merchant_id: merchantId,
      kind,
      user_id: userId ?? null,
      subject: subject ?? null,
      facts: JSON.stringify(facts),
    })
    .execute();
  tx.changed(merchantId, 'notices');
}

/** Notifies a person that the password or a second factor of theirs was changed, and from where. */
export async function noticeAccessChange(
  tx: Tx,
  { userId, home: { merchantId } }: Person,
  { address, userAgent }: RequestInfo,
  change: AccessChange,
): Promise<void> {
  const device = userAgent === undefined ? {} : { userAgent: userAgent.slice(0, 400) };
  await writeNotice(tx, { merchantId, userId, kind: 'accessChanged', facts: { change, address, ...device } });
}

/** The facts of an order of money. */
export function moneyFacts({
  currency,
  amountMinor,
}: {
  currency: string;
  amountMinor: bigint;
}): NoticeFacts {
  return { currency, amountMinor: String(amountMinor) };
}

import type { AccessSetting } from '@hengfu/contract/access-requests';
import type { AccessChange, NoticeKind } from '@hengfu/contract/notices';
import type { Tx } from '#db/database.ts';
import type { Person, RequestInfo } from './caller.ts';
import { listWorkplaces } from './workplaces.sql.ts';

/** Details of a notice besides its subject, as codes and figures. Amounts are in minor units, as text. */
export interface NoticeFacts {
  currency?: string;
  amountMinor?: string;
  rows?: number;
  failed?: number;
  ready?: number;
  rejected?: number;
  list?: string;
  reason?: string;
  change?: AccessChange;
  setting?: AccessSetting;
  address?: string;
  name?: string;
  /** ISO 8601. */
  endsAt?: string;
  userAgent?: string;
}

/**
 * An event that people of a merchant should know about. Without `userId`, it is for all who may read its
 * kind.
 */
export interface NewNotice {
  merchantId: bigint;
  kind: NoticeKind;
  userId?: bigint;
  /** Number of the order, batch or export. */
  subject?: string;
  facts: NoticeFacts;
}

/** Writes a notice, in the transaction of its event. */
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

/** Notifies a person of something that concerns the account, at every merchant that the person works for. */
export async function noticePerson(
  tx: Tx,
  userId: bigint,
  notice: Pick<NewNotice, 'kind' | 'facts'>,
): Promise<void> {
  for (const { merchantId, isAvailable } of await listWorkplaces(tx, userId))
    if (isAvailable) await writeNotice(tx, { ...notice, merchantId, userId });
}

/** Notifies a person that their password or a second factor was changed, and from where. */
export async function noticeAccessChange(
  tx: Tx,
  { userId }: Person,
  { address, userAgent }: RequestInfo,
  change: AccessChange,
): Promise<void> {
  const device = userAgent === undefined ? {} : { userAgent: userAgent.slice(0, 400) };
  await noticePerson(tx, userId, { kind: 'accessChanged', facts: { change, address, ...device } });
}

/** Returns the facts of an order with an amount. */
export function moneyFacts({
  currency,
  amountMinor,
}: {
  currency: string;
  amountMinor: bigint;
}): NoticeFacts {
  return { currency, amountMinor: String(amountMinor) };
}

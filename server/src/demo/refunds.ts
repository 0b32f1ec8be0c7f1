import type { Services } from '#composition/services.ts';
import type { Home } from '#domain/caller.ts';
import { unsettledOrders } from './refunds.sql.ts';

const minuteMs = 60_000;
const parts = 4;

/**
 * Gives back parts of the last unsettled orders. Of one of them, the channel declines another part; of another one, a part is in progress: the
 * sandbox bank does not know these orders, so that nothing ends it.
 */
export async function seedRefunds(
  { database, refunds, refundDispatch }: Services,
  home: Home,
): Promise<void> {
  const { merchantId } = home;
  const orders = await database.asMerchant(merchantId, (tx) => unsettledOrders(tx, parts));
  const now = Date.now();
  await refunds.recordPast(
    merchantId,
    orders.map(({ tradeNo, amountMinor }, index) => ({
      tradeNo,
      amountMinor: (amountMinor * BigInt(index + 2)) / 10n,
      at: new Date(now - (parts - index) * minuteMs),
    })),
  );
  const [first, second] = orders;
  if (second) await refunds.beginPast(merchantId, second.tradeNo, second.amountMinor / 10n);
  if (!first) return;
  const refundNo = await refunds.beginPast(merchantId, first.tradeNo, first.amountMinor / 10n);
  const bankReference = `D${refundNo.slice(1)}`;
  await refundDispatch.report(merchantId, refundNo, {
    status: 'refused',
    reason: 'account closed',
    bankReference,
  });
}

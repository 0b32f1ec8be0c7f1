import { channelCatalogue } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { Runtime } from '#composition/runtime.ts';
import type { Services } from '#composition/services.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';

/** A merchant with an access key that this machine may use. */
export interface KeyedMerchant {
  id: bigint;
  code: string;
  currency: Currency;
  key: { id: string; secret: string };
}

interface MerchantPlan {
  code: string;
  currency?: 'CNY' | 'VND';
  zone?: string;
}

/** Returns the first channel of a currency. */
const channelOf = (currency: Currency) =>
  (Object.entries(channelCatalogue).find(([, entry]) => entry.currency === currency)?.[0] ??
    'CN_BANK') as keyof typeof channelCatalogue;

/** Creates a merchant that may collect and pay out in its currency, with an access key. */
export async function makeMerchant(
  admin: MerchantService,
  { code, currency = 'CNY', zone = 'Asia/Shanghai' }: MerchantPlan,
): Promise<KeyedMerchant> {
  const id = await admin.create({ code, name: `Shop ${code}`, currency, zone, cutOff: '00:00' });
  await admin.setTerms(id, {
    channel: channelOf(currency),
    collectionRatePpm: 6000,
    collectionFixedMinor: 0n,
    payoutRatePpm: 2000,
    payoutFixedMinor: 0n,
    validFrom: new Date('2020-01-01T00:00:00Z'),
  });
  const key = { id: `ak_${code}`, secret: `sk_${code}_secret` };
  await admin.addAccessKey(id, key.id, key.secret);
  await admin.setAllowedAddresses(id, ['127.0.0.1/32']);
  return { id, code, currency, key };
}

/** Creates merchants whose local currency is CNY, on a database without any. */
export async function makeMerchants({ services }: Runtime, count: number): Promise<KeyedMerchant[]> {
  const admin = new MerchantService(services.database, services.secrets, 'operator:setup');
  await admin.installChannels('sandbox');
  const merchants: KeyedMerchant[] = [];
  for (let number = 1; number <= count; number++)
    merchants.push(await makeMerchant(admin, { code: `shop-${number}` }));
  return merchants;
}

/** Gives a merchant available funds: an amount collected, less its fee, and settled. */
export async function fundMerchant(
  runtime: { services: Services },
  merchant: Omit<KeyedMerchant, 'key'>,
  amount: string,
): Promise<void> {
  await payNewOrder(runtime, merchant, amount);
  await runtime.services.settlements.runNow(merchant.id, new Date(Date.now() + 1000));
}

/** Creates a collection, and reports it as paid. Resolves with the order as it was created. */
export async function payNewOrder(
  { services }: { services: Services },
  { id: merchantId, code, currency }: Omit<KeyedMerchant, 'key'>,
  amount: string,
) {
  const home = { merchantId, code, name: code, currency, zone: 'UTC' };
  const order = await services.collections.create(home, {
    out_trade_no: `funds-${Date.now()}-${Math.random()}`,
    amount,
    currency,
    channel: channelOf(currency),
  });
  const { tradeNo: reference, amountMinor } = order;
  await services.collections.report({
    reference,
    amountMinor,
    currency,
    status: 'paid',
    bankReference: `bank-${reference}`,
    reason: null,
  });
  return order;
}

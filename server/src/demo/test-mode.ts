import type { Services } from '#composition/services.ts';
import type { MerchantService } from '../features/merchants/merchants.service.ts';
import { applicantOf } from './payouts.sql.ts';
import { personOf } from './people.ts';

const request = { id: 'demo', address: '127.0.0.1', userAgent: undefined, language: 'en' } as const;
const tried = [
  { amount: '88.00', subject: 'A first try', isPaid: true },
  { amount: '1200.00', subject: 'A large one', isPaid: true },
  { amount: '6.50', subject: 'Left open', isPaid: false },
];
/** The access key of the demo's test mode. */
const key = { id: 'ak_test_demo_hengfu', secret: 'sk_test_demo_hengfu_2026' };

/** Opens test mode for the first demo merchant, with funds, a key and a few orders. */
export async function seedTestMode(services: Services, admin: MerchantService): Promise<void> {
  const live = await admin.find('demo');
  const { id: merchantId, code } = await services.testMode.open(live.id);
  const { currency, name, zone } = live;
  const home = { merchantId, code, name: `${name} (TEST)`, currency, zone };
  await admin.addAccessKey(merchantId, key.id, key.secret);
  const by = await services.database.asMerchant(merchantId, applicantOf);
  await services.testMode.addFunds(personOf(home, BigInt(by.replace('user:', ''))), '50000.00', request);
  for (const [index, { amount, subject, isPaid }] of tried.entries()) {
    const order = await services.collections.create(home, {
      out_trade_no: `try-${index + 1}`,
      amount,
      currency,
      channel: 'CN_BANK',
      subject,
    });
    if (!isPaid) continue;
    const { tradeNo: reference, amountMinor } = order;
    const bankReference = `SANDBOX-TRY-${index + 1}`;
    const report = { reference, amountMinor, currency, bankReference, reason: null };
    await services.collections.report({ ...report, status: 'paid' });
  }
}

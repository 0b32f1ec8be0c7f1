import type { Currency } from '@hengfu/contract/money';
import { balances } from '#ledger/ledger.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';
import type { Services } from '../services.ts';
import { ordersOfDay, shops } from './orders.ts';
import { payeesOf } from './payees.ts';
import { applicantOf, insertPayoutDay } from './payouts.sql.ts';
import { payoutsOfDay } from './payouts.ts';
import { demoAddresses, demoContacts, demoMerchants, demoSignIn } from './people.ts';
import { Random } from './random.ts';
import { type DemoOrder, insertDay, postPayments, readMidnights, tradeNoOf } from './seed.sql.ts';
import { seedTopups, seedWallets } from './topups.ts';
import { seedWithdrawals } from './withdrawals.ts';

const days = 90;
const seed = 20_260_701;
const settlementDelayMs = 12_000;

interface Home {
  merchantId: bigint;
  code: string;
  currency: Currency;
  channel: 'CN_BANK' | 'VN_NAPAS';
}

/** Writes two merchants and ninety days of orders into an empty installation. */
export async function seedDemo(services: Services, say: (line: string) => void): Promise<void> {
  say('First start: writing ninety days of demo data …');
  const startedAt = performance.now();
  const admin = new MerchantService(services.database, services.secrets, 'operator:demo');
  await admin.installChannels('sandbox');
  for (const way of demoContacts) await services.contact.set(way, 'operator:demo');
  await seedWallets(services);
  for (const demo of demoMerchants) await seedMerchant(services, admin, demo);
  say(`Demo data is there after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

async function seedMerchant(
  services: Services,
  admin: MerchantService,
  demo: (typeof demoMerchants)[number],
): Promise<void> {
  const { merchant, channel, key } = demo;
  const merchantId = await admin.create(merchant);
  const midnights = await services.database.asSystem((tx) => readMidnights(tx, merchant.zone, days));
  const [firstDay = new Date()] = midnights;
  for (const user of demo.users)
    await admin.createUser(merchantId, { ...user, password: demoSignIn.password });
  await admin.setTerms(merchantId, {
    channel,
    collectionRatePpm: 6000,
    collectionFixedMinor: 0n,
    payoutRatePpm: 2000,
    payoutFixedMinor: merchant.currency === 'CNY' ? 200n : 3000n,
    validFrom: firstDay,
  });
  await admin.addAccessKey(merchantId, key.id, key.secret);
  await admin.setAllowedAddresses(merchantId, demoAddresses);
  const { code, currency } = merchant;
  await seedOrders(services, { merchantId, code, currency, channel }, midnights);
  const by = await services.database.asMerchant(merchantId, applicantOf);
  const { paymentPassword } = demo.users[0];
  const home = { merchantId, code, name: merchant.name, currency, zone: merchant.zone };
  const userId = BigInt(by.replace('user:', ''));
  await seedWithdrawals(services, home, { userId, paymentPassword });
  await seedTopups(services, home, userId);
}

/** Day by day, as it would have happened: yesterday is settled at midnight, then today's orders come in. */
async function seedOrders(services: Services, home: Home, midnights: readonly Date[]): Promise<void> {
  const shop = shops[home.code];
  if (!shop) return;
  const random = new Random(seed);
  const now = Date.now();
  const payOut = await payoutsFor(services, home, now);
  const refunds: DemoOrder[] = [];
  let posted = new Date(0);
  for (const midnight of midnights) {
    const { merchantId } = home;
    await services.database.asMerchant(merchantId, (tx) => postPayments(tx, posted, midnight));
    posted = midnight;
    await refundUntil(services, merchantId, refunds, midnight.getTime());
    await services.settlements.runNow(merchantId, midnight, new Date(midnight.getTime() + settlementDelayMs));
    await payOut(midnight.getTime());
    const orders = ordersOfDay(random, shop, midnight.getTime(), now);
    refunds.push(...orders.filter((order) => order.refundedAt !== null));
    if (orders.length > 0)
      await services.database.asMerchant(merchantId, (tx) => insertDay(tx, orders, home));
  }
  await services.database.asMerchant(home.merchantId, (tx) => postPayments(tx, posted, new Date(now)));
  await refundUntil(services, home.merchantId, refunds, now);
}

/** Writes the payouts of one day after the other. */
async function payoutsFor(
  { database }: Services,
  home: Home,
  now: number,
): Promise<(midnight: number) => Promise<void>> {
  const random = new Random(seed + 1);
  const payees = payeesOf(home.code, random);
  const by = await database.asMerchant(home.merchantId, applicantOf);
  return (midnight) =>
    database.asMerchant(home.merchantId, async (tx) => {
      const { available: availableMinor } = await balances(tx, home.currency);
      const orders = payoutsOfDay(random, home, payees, { midnight, now, availableMinor });
      if (orders.length > 0) await insertPayoutDay(tx, orders, { ...home, by });
    });
}

/** Gives back what is to be given back before an instant, through the refunds' own service. */
async function refundUntil(
  services: Services,
  merchantId: bigint,
  refunds: DemoOrder[],
  until: number,
): Promise<void> {
  const due = refunds.filter((order) => (order.refundedAt ?? until) < until);
  for (const order of due) {
    refunds.splice(refunds.indexOf(order), 1);
    const tradeNo = await services.database.asMerchant(merchantId, (tx) => tradeNoOf(tx, order.outTradeNo));
    if (tradeNo) await services.refunds.recordPast(merchantId, tradeNo, new Date(order.refundedAt ?? until));
  }
}

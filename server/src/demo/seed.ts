import type { Currency } from '@hengfu/contract/money';
import type { Services } from '#composition/services.ts';
import type { MerchantTx } from '#db/database.ts';
import { balances } from '#ledger/ledger.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';
import { freshToken, hashToken } from '../features/team/invitation-token.ts';
import { insertInvitation } from '../features/team/invitations.sql.ts';
import { seedRequests, seedRules } from './approvals.ts';
import { seedBrand } from './brands.ts';
import { type DemoPlace, seedCallbacks } from './callbacks.ts';
import { seedLinks } from './links.ts';
import { ordersOfDay, shops } from './orders.ts';
import { payeesOf } from './payees.ts';
import { applicantOf, insertPayoutDay } from './payouts.sql.ts';
import { payoutsOfDay } from './payouts.ts';
import { demoAddresses, demoContacts, demoMerchants, demoReportsKey, demoSignIn } from './people.ts';
import { postPayments, postPayouts } from './postings.ts';
import { Random } from './random.ts';
import { seedRefunds } from './refunds.ts';
import { type DemoOrder, insertDay, readMidnights, tradeNosOf } from './seed.sql.ts';
import { seedTestMode } from './test-mode.ts';
import { seedTopups, seedWallets } from './topups.ts';
import { seedWithdrawals } from './withdrawals.ts';

const demoDays = 90;
const seed = 20_260_701;
const settlementDelayMs = 12_000;
const dayMs = 86_400_000;
/**
 * Commits without waiting for the disk: an interrupted start starts over, and only the final mark must be
 * durable.
 */
const relaxed = { relaxed: true } as const;

interface Home {
  merchantId: bigint;
  code: string;
  currency: Currency;
  channel: 'CN_BANK' | 'VN_NAPAS';
}

/** A moment before the oldest demo data. */
export function firstDay(days = demoDays): Date {
  return new Date(Date.now() - (days + 2) * dayMs);
}

/** Writes two merchants and ninety days of orders (`days` in tests) into an empty installation. */
export async function seedDemo(services: Services, place: DemoPlace, days = demoDays): Promise<void> {
  const admin = new MerchantService(services.database, services.secrets, 'operator:demo');
  await admin.installChannels('sandbox');
  for (const way of demoContacts) await services.contact.set(way, 'operator:demo');
  await seedWallets(services);
  for (const demo of demoMerchants) await seedMerchant(services, admin, demo, { place, days });
  await seedTestMode(services, admin);
}

async function seedMerchant(
  services: Services,
  admin: MerchantService,
  demo: (typeof demoMerchants)[number],
  { place, days }: { place: DemoPlace; days: number },
): Promise<void> {
  const { merchant, channel, key } = demo;
  const merchantId = await admin.create(merchant);
  const midnights = await services.database.asSystem((tx) => readMidnights(tx, merchant.zone, days));
  const [firstDay = new Date()] = midnights;
  for (const user of demo.users)
    await admin.createUser(merchantId, { ...user, password: demoSignIn.password });
  for (const { email, roles } of demo.invited) {
    const tokenHash = hashToken(freshToken(merchantId));
    const invitation = { merchantId, email, roles, tokenHash, invitedBy: null };
    await services.database.asSystem((tx) => insertInvitation(tx, invitation));
  }
  await admin.setTerms(merchantId, {
    channel,
    collectionRatePpm: 6000,
    collectionFixedMinor: 0n,
    payoutRatePpm: 2000,
    payoutFixedMinor: merchant.currency === 'CNY' ? 200n : 3000n,
    validFrom: firstDay,
  });
  await admin.addAccessKey(merchantId, key.id, key.secret);
  if (merchant.code === 'demo') {
    const { id, secret, name } = demoReportsKey;
    await admin.addAccessKey(merchantId, id, secret, { name, scopes: ['read'] });
  }
  await admin.setAllowedAddresses(merchantId, demoAddresses);
  const { code, currency } = merchant;
  if (code === 'demo') await seedRules(services, merchantId);
  await seedOrders(services, { merchantId, code, currency, channel }, midnights);
  const by = await services.database.asMerchant(merchantId, applicantOf);
  const { paymentPassword } = demo.users[0];
  const home = { merchantId, code, name: merchant.name, currency, zone: merchant.zone };
  const userId = BigInt(by.replace('user:', ''));
  await seedBrand(services, home, userId);
  await seedWithdrawals(services, home, { userId, paymentPassword });
  await seedTopups(services, home, userId);
  await seedLinks(services, home, userId);
  await seedRefunds(services, home);
  if (code !== 'demo') return;
  await seedRequests(services, home, { paymentPassword, keyId: key.id });
  await seedCallbacks(services, home, { userId, place });
}

/** Writes orders day by day: yesterday is settled at midnight, then today's orders are inserted. */
async function seedOrders(services: Services, home: Home, midnights: readonly Date[]): Promise<void> {
  const shop = shops[home.code];
  if (!shop) return;
  const { database, settlements } = services;
  const { merchantId, currency } = home;
  const random = new Random(seed);
  const now = Date.now();
  const payoutsOf = await payoutsFor(services, home, now);
  const refunds: DemoOrder[] = [];
  let posted = new Date(0);
  for (const [index, midnight] of midnights.entries()) {
    await refundUntil(services, merchantId, refunds, midnight.getTime());
    await settlements.runNow(merchantId, midnight, new Date(midnight.getTime() + settlementDelayMs));
    const orders = ordersOfDay(random, shop, midnight.getTime(), now);
    refunds.push(...orders.filter((order) => order.refundedAt !== null));
    const payOut = payoutsOf(midnight.getTime());
    const dayEnd = midnights[index + 1] ?? new Date(now);
    await database.asMerchant(
      merchantId,
      async (tx) => {
        await payOut(tx);
        if (orders.length > 0) await insertDay(tx, orders, home);
        await postPayments(tx, currency, posted, dayEnd);
      },
      relaxed,
    );
    posted = dayEnd;
  }
  await refundUntil(services, merchantId, refunds, now);
}

/** Returns a function that writes the payouts of a day; call it for each day in order. */
async function payoutsFor(
  { database }: Services,
  home: Home,
  now: number,
): Promise<(midnight: number) => (tx: MerchantTx) => Promise<void>> {
  const random = new Random(seed + 1);
  const payees = payeesOf(home.code, random);
  const by = await database.asMerchant(home.merchantId, applicantOf);
  return (midnight) => async (tx) => {
    const { available: availableMinor } = await balances(tx, home.currency);
    const orders = payoutsOfDay(random, home, payees, { midnight, now, availableMinor });
    if (orders.length === 0) return;
    await postPayouts(tx, home.currency, await insertPayoutDay(tx, orders, { ...home, by }));
  };
}

/** Records the refunds that are due before an instant, and removes them from the list. */
async function refundUntil(
  services: Services,
  merchantId: bigint,
  refunds: DemoOrder[],
  until: number,
): Promise<void> {
  const due = refunds.filter((order) => (order.refundedAt ?? until) < until);
  if (due.length === 0) return;
  const outTradeNos = due.map(({ outTradeNo }) => outTradeNo);
  const numbers = await services.database.asMerchant(merchantId, (tx) => tradeNosOf(tx, outTradeNos));
  const past = due.map(({ outTradeNo, refundedAt }) => {
    refunds.splice(
      refunds.findIndex((order) => order.outTradeNo === outTradeNo),
      1,
    );
    return { tradeNo: numbers.get(outTradeNo) ?? outTradeNo, at: new Date(refundedAt ?? until) };
  });
  await services.refunds.recordPast(merchantId, past);
}

import { demoSignIn } from '#composition/demo-sign-ins.ts';
import type { Services } from '#composition/services.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';
import { freshToken, hashToken } from '../features/team/invitation-token.ts';
import { insertInvitation } from '../features/team/invitations.sql.ts';
import { seedRequests, seedRules } from './approvals.ts';
import { seedBrand } from './brands.ts';
import { type DemoPlace, seedCallbacks } from './callbacks.ts';
import { type DemoHome, seedHistory } from './history.ts';
import { withLightTables } from './light-tables.sql.ts';
import { seedLinks } from './links.ts';
import { applicantOf } from './payouts.sql.ts';
import { demoAddresses, demoContacts, demoMerchants, demoReportsKey } from './people.ts';
import { seedRefunds } from './refunds.ts';
import { readMidnights } from './seed.sql.ts';
import { seedTestMode } from './test-mode.ts';
import { seedTopups, seedWallets } from './topups.ts';
import { seedWithdrawals } from './withdrawals.ts';

const demoDays = 90;
const dayMs = 86_400_000;

/** A moment before the oldest demo data. */
export function firstDay(days = demoDays): Date {
  return new Date(Date.now() - (days + 2) * dayMs);
}

type DemoMerchant = (typeof demoMerchants)[number];

/** Writes two merchants and ninety days of orders (`days` in tests) into an empty installation. */
export async function seedDemo(
  services: Services,
  { ownerUrl, days = demoDays, ...place }: DemoPlace & { ownerUrl: string; days?: number | undefined },
): Promise<void> {
  const admin = new MerchantService(services.database, services.secrets, 'operator:demo');
  await admin.installChannels('sandbox');
  for (const way of demoContacts) await services.contact.set(way, 'operator:demo');
  await seedWallets(services);
  const merchants: { demo: DemoMerchant; home: DemoHome }[] = [];
  for (const demo of demoMerchants)
    merchants.push({ demo, home: await seedMerchant(services, admin, demo, days) });
  await withLightTables(ownerUrl, async () => {
    for (const { home } of merchants) await seedHistory(services, home, days);
  });
  for (const { demo, home } of merchants) await seedRest(services, home, demo, place);
  await seedTestMode(services, admin);
}

/** Creates a merchant with its people, terms and access keys. */
async function seedMerchant(
  services: Services,
  admin: MerchantService,
  { merchant, channel, key, users, invited }: DemoMerchant,
  days: number,
): Promise<DemoHome> {
  const merchantId = await admin.create(merchant);
  const [validFrom = new Date()] = await services.database.asSystem((tx) =>
    readMidnights(tx, merchant.zone, days),
  );
  for (const user of users) await admin.createUser(merchantId, { ...user, password: demoSignIn.password });
  for (const { email, roles } of invited) {
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
    validFrom,
  });
  await admin.addAccessKey(merchantId, key.id, key.secret);
  if (merchant.code === 'demo') {
    const { id, secret, name } = demoReportsKey;
    await admin.addAccessKey(merchantId, id, secret, { name, scopes: ['read'] });
  }
  await admin.setAllowedAddresses(merchantId, demoAddresses);
  const { code, name, currency, zone } = merchant;
  if (code === 'demo') await seedRules(services, merchantId);
  return { merchantId, code, name, currency, zone, channel };
}

/** Creates what a merchant has beside its past orders: through the services, as people and systems do. */
async function seedRest(
  services: Services,
  home: DemoHome,
  { users: [{ paymentPassword }], key }: DemoMerchant,
  place: DemoPlace,
): Promise<void> {
  const by = await services.database.asMerchant(home.merchantId, applicantOf);
  const userId = BigInt(by.replace('user:', ''));
  await seedBrand(services, home, userId);
  await seedWithdrawals(services, home, { userId, paymentPassword });
  await seedTopups(services, home, userId);
  await seedLinks(services, home, userId);
  await seedRefunds(services, home);
  if (home.code !== 'demo') return;
  await seedRequests(services, home, { paymentPassword, keyId: key.id });
  await seedCallbacks(services, home, { userId, place });
}

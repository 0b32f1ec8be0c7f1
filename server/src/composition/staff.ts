import { staffRequestKinds } from '@hengfu/contract/staff/requests';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import { ChangeFeed, notifyStatement } from '#db/change-feed.ts';
import { accountRoles, Database, staffRoles } from '#db/database.ts';
import { ensureLogin, urlAs } from '#db/login.ts';
import { onePlacement, type Placement } from '#db/placement.ts';
import { countsOf, openPool, type PoolCounts } from '#db/pool.ts';
import type { StaffEffectsByKind } from '#domain/staff-requests.sql.ts';
import { readFourEyesFrom, storeFourEyesFrom } from '#domain/staff-settings.sql.ts';
import { staffAnnouncementsModule } from '#features/announcements/office.module.ts';
import { auditTrailModule } from '#features/audit-log/audit-trail.module.ts';
import { collectionCasesModule } from '#features/collections/cases/collection-cases.module.ts';
import { contactPageModule } from '#features/contact/contact-page.module.ts';
import { channelsModule } from '#features/merchants/channels.module.ts';
import { merchantLooksModule } from '#features/merchants/merchant-looks.module.ts';
import { merchantOfficeModule } from '#features/merchants/merchant-office.module.ts';
import type { StaffDeps, StaffModule } from '#features/module.ts';
import { operatorPermitsModule } from '#features/operator-permits/operator-permits.module.ts';
import { ordersModule } from '#features/orders/orders.module.ts';
import { payoutCasesModule } from '#features/payouts/cases/payout-cases.module.ts';
import { reconciliationModule } from '#features/reconciliation/reconciliation.module.ts';
import { StaffPasskeys } from '#features/staff/passkeys/staff-passkeys.ts';
import { staffModule } from '#features/staff/staff.module.ts';
import { staffAccountsModule } from '#features/staff/staff-accounts.module.ts';
import { StaffSignIn } from '#features/staff/staff-sign-in.ts';
import { staffRequestsModule } from '#features/staff-requests/staff-requests.module.ts';
import { StaffRequestService } from '#features/staff-requests/staff-requests.service.ts';
import { incidentsModule } from '#features/status/incidents.module.ts';
import { merchantSuspensionModule } from '#features/suspension/merchant-suspension.module.ts';
import { todayModule } from '#features/today/today.module.ts';
import { depositWalletsModule } from '#features/topups/deposit-wallets.module.ts';
import { topupReviewsModule } from '#features/topups/topup-reviews.module.ts';
import { healthModule } from '#features/watch/health.module.ts';
import { exchangeRatesModule } from '#features/withdrawals/exchange-rates.module.ts';
import { withdrawalReviewsModule } from '#features/withdrawals/withdrawal-reviews.module.ts';
import { withdrawalTermsModule } from '#features/withdrawals/withdrawal-terms.module.ts';
import { Secrets } from '#security/secrets.ts';
import { WebAuthn } from '#security/web-authn.ts';
import { defaultFourEyesFromUsdtMinor } from '#settings/staff-settings.ts';
import { openArchiveStore } from './export-store.ts';
import { heldWork } from './held-work.ts';
import { merchantPages } from './merchant-pages.ts';
import { ownerInvitations } from './owner-invitations.ts';

/** Our staff are few, and a screen needs few connections at a time. */
const poolSize = 5;
/** Accounts are changed one at a time. The pool connects only when one is. */
const accountsPoolSize = 1;

type StaffConfig = Pick<
  Config,
  | 'appKey'
  | 'appUrl'
  | 'dataDir'
  | 'demo'
  | 'previousKey'
  | 'storage'
  | 'title'
  | 'staffFactorRequired'
  | 'staffUrl'
  | 'fourEyesFromUsdtMinor'
> & {
  placement?: Placement;
  archiving?: StaffDeps['archiving'];
  /** Its own address, if the settings do not name one; known only once it listens. */
  staffAddress?: () => string;
  /** The services are for an operator's command, which serves nobody. */
  isForCommand?: boolean;
};

/** The back office's own access to the database, and its services. */
export interface StaffRuntime {
  database: Database;
  feed: ChangeFeed;
  secrets: Secrets;
  modules: readonly StaffModule[];
  accounts: StaffServices['staffAccounts'];
  services: StaffServices;
  requests: StaffRequestService;
  /** Counts the connections of all but the changes of accounts. */
  pool: () => PoolCounts;
  close(): Promise<void>;
}

type StaffServices = Services<ReturnType<typeof buildStaffModules>>;
/** The services of all modules, by their names. */
type Services<M extends readonly StaffModule[]> = UnionToIntersection<M[number]['services']>;
type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** Builds the modules of the back office, in the order of its API document. */
export function buildStaffModules(deps: StaffDeps) {
  return [
    staffModule(deps),
    todayModule(deps),
    staffRequestsModule(deps),
    topupReviewsModule(deps),
    withdrawalReviewsModule(deps),
    merchantOfficeModule(deps, ownerInvitations(deps.database, deps.appUrl)),
    merchantLooksModule(deps, merchantPages(deps)),
    merchantSuspensionModule(deps, heldWork),
    withdrawalTermsModule(deps),
    ordersModule(deps),
    payoutCasesModule(deps),
    collectionCasesModule(deps),
    reconciliationModule(deps),
    channelsModule(deps),
    incidentsModule(deps),
    staffAnnouncementsModule(deps),
    contactPageModule(deps),
    exchangeRatesModule(deps),
    depositWalletsModule(deps),
    healthModule(deps),
    auditTrailModule(deps),
    staffAccountsModule(deps),
    operatorPermitsModule(deps),
  ] as const;
}

/**
 * Opens the database with the back office's own login, which has no role but `hengfu_staff`. Accounts are changed with another one. Both
 * connect past a pooler, which need not know them: they are few connections, and the back office works while the pooler does not.
 * `appUrl` is the address of the merchants' console, if the settings do not name it.
 */
export async function openStaff(
  config: StaffConfig,
  ownerUrl: string,
  log: Pick<FastifyBaseLogger, 'warn'>,
  appUrl = () => config.appUrl ?? '',
): Promise<StaffRuntime> {
  const { appKey, previousKey, title, staffFactorRequired: isFactorRequired } = config;
  const { staffAddress = () => '' } = config;
  const login = await ensureLogin(ownerUrl, appKey, 'staff');
  const settings = {
    applicationName: 'hengfu staff',
    onError: (error: Error) => log.warn({ err: error }, 'database connection lost'),
  };
  const url = urlAs(ownerUrl, login);
  const pool = openPool(url, { ...settings, max: poolSize });
  const accountsLogin = await ensureLogin(ownerUrl, appKey, 'accounts');
  const accountsPool = openPool(urlAs(ownerUrl, accountsLogin), { ...settings, max: accountsPoolSize });
  const feed = new ChangeFeed({
    send: (channel, text) => pool.query(notifyStatement, [channel, text]),
    listenUrl: url,
    onError: (error) => log.warn({ err: error }, 'change feed'),
  });
  const database = new Database(pool, {
    roles: staffRoles,
    prepares: true,
    listener: feed,
    placement: config.placement ?? onePlacement,
  });
  const accountsDatabase = new Database(accountsPool, {
    roles: accountRoles,
    prepares: true,
    listener: feed,
  });
  const secrets = new Secrets(appKey, previousKey);
  const archive = await openArchiveStore(config);
  const site = new WebAuthn(title, () => config.staffUrl ?? staffAddress());
  const passkeys = new StaffPasskeys(database, site);
  const signIn = new StaffSignIn(database, secrets, passkeys, { issuer: title, isFactorRequired });
  const requests = new StaffRequestService({
    database,
    accountsDatabase,
    effects: () => effects,
    authorize: (...given) => signIn.authorize(...given),
  });
  const modules = buildStaffModules({
    database,
    accountsDatabase,
    requests,
    fourEyesFromUsdtMinor: await fourEyesFrom(database, config),
    signIn,
    passkeys,
    secrets,
    appUrl,
    archive,
    log,
    archiving: config.archiving,
  });
  const effects = effectsOf(modules);
  const services = Object.assign({}, ...modules.map((module) => module.services)) as StaffServices;
  return {
    database,
    feed,
    secrets,
    modules,
    accounts: services.staffAccounts,
    services,
    requests,
    pool: () => countsOf(pool),
    close: async () => {
      await feed.close();
      await Promise.all([pool.end(), accountsPool.end()]);
    },
  };
}

/**
 * Returns the amount from which on two people have to agree. The back office that serves people stores its own. A command takes the smaller one of
 * the stored amount and its own: its environment is that of the operator who runs it.
 */
async function fourEyesFrom(
  database: Database,
  { isForCommand = false, fourEyesFromUsdtMinor: own }: StaffConfig,
): Promise<bigint> {
  if (!isForCommand) {
    await database.asSystem((tx) => storeFourEyesFrom(tx, own));
    return own;
  }
  const limit = (await database.asSystem(readFourEyesFrom)) ?? defaultFourEyesFromUsdtMinor;
  return own < limit ? own : limit;
}

/** Collects what is done once a second person agrees. Throws if a kind of request has no feature. */
function effectsOf(modules: readonly StaffModule[]): StaffEffectsByKind {
  const effects: Partial<StaffEffectsByKind> = Object.assign({}, ...modules.map(({ requests }) => requests));
  const missing = staffRequestKinds.filter((kind) => !effects[kind]);
  if (missing.length > 0) throw new Error(`no feature performs ${missing.join(', ')}`);
  return effects as StaffEffectsByKind;
}

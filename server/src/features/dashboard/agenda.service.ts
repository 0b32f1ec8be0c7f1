import {
  type DashboardAgenda,
  type FirstStep,
  firstSteps,
  firstTestSteps,
  type WaitingKind,
  waitingKinds,
} from '@hengfu/contract/dashboard';
import { formatAmount } from '@hengfu/contract/money';
import { type Database, pipelined } from '#db/database.ts';
import { holds, type Person } from '#domain/caller.ts';
import { freeUnsettled } from '#domain/settling.sql.ts';
import { dismissFirstSteps, hasPaymentPassword, readNextSettlement, readSetup } from './agenda.sql.ts';
import { readWaiting } from './waiting.sql.ts';

/** Reads what waits for a person, the next settlement, and the first steps. */
export async function readAgenda(database: Database, person: Person): Promise<DashboardAgenda> {
  const { home, userId } = person;
  const { merchantId, currency } = home;
  const kinds = (Object.keys(waitingKinds) as WaitingKind[]).filter((kind) =>
    holds(person, waitingKinds[kind]),
  );
  const [waiting, settlesAt, unsettledMinor, setup] = await database.asMerchant(merchantId, (tx) =>
    pipelined([
      readWaiting(tx, kinds),
      readNextSettlement(tx),
      freeUnsettled(tx),
      readSetup(tx, userId, currency),
    ]),
  );
  const maySetUp = holds(person, 'access.manage') && !setup.isDismissed;
  return {
    currency,
    waiting: waiting.map(({ from, to, ...line }) => ({
      ...line,
      from: from.toISOString(),
      to: to.toISOString(),
    })),
    nextSettlement: { at: settlesAt.toISOString(), amount: formatAmount(unsettledMinor, currency) },
    firstSteps: maySetUp ? await stepsLeft(database, person, setup) : null,
  };
}

/** Returns the first steps; null if all are done. */
async function stepsLeft(
  database: Database,
  { userId, factors, mode }: Person,
  setup: Awaited<ReturnType<typeof readSetup>>,
): Promise<DashboardAgenda['firstSteps']> {
  const done: Record<FirstStep, boolean> = {
    twoFactor: factors.length > 0,
    paymentPassword: await database.asSystem((tx) => hasPaymentPassword(tx, userId), { oneStatement: true }),
    accessKey: setup.hasKey,
    whitelist: setup.hasWhitelist,
    order: setup.hasOrder,
  };
  const steps = (mode === 'test' ? firstTestSteps : firstSteps).map((step) => ({ step, isDone: done[step] }));
  return steps.every(({ isDone }) => isDone) ? null : steps;
}

/** Hides the first steps from a person for good. */
export async function dismissSteps(database: Database, { home, userId }: Person): Promise<void> {
  await database.asMerchant(home.merchantId, (tx) => dismissFirstSteps(tx, userId), { oneStatement: true });
}

import { type Currency, formatAmount, parseAmount } from '@hengfu/contract/money';
import { maxTestFunds, testFundsPerHour } from '@hengfu/contract/test-mode';
import { updateSandbox } from '#channels/channels.sql.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { newTradeNo } from '#domain/orders.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { assertMayBegin, lockStanding } from '#domain/standing.sql.ts';
import { countTry } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { findTwin } from '#domain/twins.sql.ts';
import { enterMerchant } from '#http/enter-merchant.sql.ts';
import { post } from '#ledger/ledger.ts';
import { countWipes, holdTwin, moveSessions, openTwin, readLive, retireTwin } from './test-mode.sql.ts';

/** The test merchant beside each live merchant. It is opened on first use, and its test data can be wiped. */
export class TestModeService {
  readonly #database: Database;
  /** Whether a sandbox bank is set up here. Without one nothing could be tried out. */
  readonly isServed: boolean;

  constructor(database: Database, isServed: boolean) {
    this.#database = database;
    this.isServed = isServed;
  }

  /** Sets whether the sandbox bank serves live merchants, too. In production it serves test merchants alone. */
  async setSandbox(isLive: boolean): Promise<void> {
    await this.#database.asSystem((tx) => updateSandbox(tx, isLive));
  }

  /**
   * Makes a session work for the test merchant of its merchant, or for the live one again, under a new ID. Returns false if it does so
   * already. Throws `merchant_suspended`; `test_mode_unavailable` without a sandbox bank; `unauthenticated` if the session has ended meanwhile.
   */
  async set(caller: Person, isOn: boolean, newSessionId: string, request: RequestInfo): Promise<boolean> {
    if (isOn === (caller.mode === 'test')) return false;
    if (isOn && !this.isServed) throw new Refusal('test_mode_unavailable');
    const merchantId = isOn ? await this.#open(caller, request) : await this.#liveOf(caller);
    await this.#database.asSystemFor(merchantId, (tx) =>
      enterMerchant(tx, caller, { isNoted: !isOn, newSessionId }, request),
    );
    return true;
  }

  /** Opens the test merchant of a live merchant, unless it has one. */
  async open(liveId: bigint): Promise<{ id: bigint; code: string }> {
    const opened = await this.#database.asSystem(async (tx) => {
      await openTwin(tx, liveId);
      return findTwin(tx, liveId);
    });
    if (!opened) throw new Refusal('conflict');
    return opened;
  }

  /** Returns the test merchant of a person's live merchant, and opens it on first use. Throws `merchant_suspended`. */
  async #open(caller: Person, request: RequestInfo): Promise<bigint> {
    const { merchantId } = caller.home;
    return this.#database.asSystemFor(merchantId, async (tx) => {
      await assertMayBegin(tx, 'signIn');
      const found = await findTwin(tx, merchantId);
      if (found) return found.id;
      await openTwin(tx, merchantId);
      const opened = await findTwin(tx, merchantId);
      if (!opened) throw new Refusal('not_found');
      await auditPerson(tx, caller, request, 'test_mode.open', { subject: opened.code });
      return opened.id;
    });
  }

  async #liveOf({ home: { merchantId } }: Person): Promise<bigint> {
    const live = await this.#database.asSystemFor(merchantId, readLive);
    if (live === undefined) throw new Refusal('not_found');
    return live;
  }

  /** Adds funds to the available funds of a test merchant. Throws `validation_failed`, `too_many_attempts`, `merchant_suspended`. */
  async addFunds(caller: Person, amount: string, request: RequestInfo): Promise<void> {
    const { merchantId, currency } = caller.home;
    const amountMinor = fundsOf(amount, currency);
    await this.#countFunds(await this.#liveOf(caller));
    await this.#database.asSystemFor(merchantId, async (tx) => {
      await assertMayBegin(tx, 'newTopup', caller.userId);
      const number = await newTradeNo(tx, 'F');
      await postTestFunds(tx, { number, currency, amountMinor });
      const after = { amount: formatAmount(amountMinor, currency), currency };
      await auditPerson(tx, caller, request, 'test_mode.funds', { subject: number, after });
      tx.changed(merchantId, 'account');
    });
  }

  /** Counts a call, admitted or not. Throws `too_many_attempts` beyond the limit of an hour. */
  async #countFunds(merchantId: bigint): Promise<void> {
    const key = tries.testFunds(merchantId);
    const { failures, waitSeconds } = await this.#database.asSystem((tx) => countTry(tx, key, 3600));
    if (failures > testFundsPerHour)
      throw new Refusal('too_many_attempts', { retryAfterSeconds: Math.max(1, waitSeconds) });
  }

  /**
   * Retires a test merchant, opens an empty one, and makes all sessions of the former work for it. Ledger and audit trail of the former
   * stay as they are. Throws `quota_reached`; `conflict` if somebody else has just wiped it.
   */
  async wipe(caller: Person, request: RequestInfo): Promise<void> {
    const { merchantId: wiped } = caller.home;
    const liveId = await this.#liveOf(caller);
    await this.#database.asSystemFor(wiped, async (tx) => {
      await assertWithinQuota(tx, 'wipesOfMerchant', liveId, () => countWipes(tx, liveId));
      await holdTwin(tx, liveId);
      await lockStanding(tx, wiped);
      if (!(await retireTwin(tx, `user:${caller.userId}`))) throw new Refusal('conflict');
      await openTwin(tx, liveId);
      const opened = await findTwin(tx, liveId);
      if (!opened) throw new Refusal('conflict');
      await moveSessions(tx, opened.id);
      const details = { subject: caller.home.code, after: { code: opened.code } };
      await auditPerson(tx, caller, request, 'test_mode.wipe', details);
      // In the live merchant's trail, too: that of the test merchant is no longer open to anybody.
      const atLive = { ...caller, home: { ...caller.home, merchantId: liveId } };
      await auditPerson(tx, atLive, request, 'test_mode.wipe', details);
    });
  }
}

/** Posts test funds: they come from nowhere, which the proof of the ledger accepts of test merchants alone. */
async function postTestFunds(
  tx: MerchantTx,
  { number, currency, amountMinor }: { number: string; currency: Currency; amountMinor: bigint },
): Promise<void> {
  await post(tx, {
    type: 'topup',
    key: `test_funds:${number}`,
    subjectNo: number,
    currency,
    entries: [
      { account: 'available', amountMinor },
      { account: 'adjustments', amountMinor: -amountMinor },
    ],
  });
}

/** Returns an amount of test funds in minor units. Throws `validation_failed`. */
function fundsOf(amount: string, currency: Currency): bigint {
  const amountMinor = parseAmount(amount, currency);
  const most = parseAmount(maxTestFunds, currency) ?? 0n;
  if (amountMinor === undefined || amountMinor <= 0n || amountMinor > most)
    throw fieldRefusal('amount', 'validation.amount');
  return amountMinor;
}

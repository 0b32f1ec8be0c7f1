import type { StaffProof } from '@hengfu/contract/staff/passkeys';
import { Secret } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { RequestInfo, StaffMember } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { staffTries } from '#domain/throttle-keys.ts';
import { failuresPerMinute, sessionLife, staffLevelOf } from '#http/session.rules.ts';
import { addressGroup } from '#security/address-group.ts';
import { isPasswordOf, refuseFlood } from '#security/passwords.ts';
import type { Secrets } from '#security/secrets.ts';
import { acceptedStep, keyUri } from '#security/totp.rules.ts';
import type { StaffPasskeys } from './passkeys/staff-passkeys.ts';
import { findAccount, markSignedIn, type StaffAccount, saveFactor } from './staff.sql.ts';
import {
  countWrongCode,
  countWrongPassword,
  forgetLocks,
  forgetSignIn,
  StaffAttempts,
} from './staff-attempts.ts';
import {
  endSessionOfAnyone,
  endStaffSessions,
  findPendingSecret,
  insertStaffSession,
  putPendingSecret,
  raiseStaffSession,
} from './staff-sessions.sql.ts';

const secretBytes = 20;
/** Time for the second factor, or for binding one, after the password. */
const unfinishedSeconds = 600;

/** Settings of the installation that a sign-in depends on. */
export interface SignInSettings {
  /** Names the product in authenticator apps. */
  issuer: string;
  isFactorRequired: boolean;
}

/** The sign-in of our staff: the password opens a session, a code of the authenticator app or a passkey completes it. */
export class StaffSignIn {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #passkeys: StaffPasskeys;
  readonly #settings: SignInSettings;
  readonly #attempts: StaffAttempts;

  constructor(database: Database, secrets: Secrets, passkeys: StaffPasskeys, settings: SignInSettings) {
    this.#database = database;
    this.#secrets = secrets;
    this.#passkeys = passkeys;
    this.#settings = settings;
    this.#attempts = new StaffAttempts(database);
  }

  get isFactorRequired(): boolean {
    return this.#settings.isFactorRequired;
  }

  /** Whether somebody has bound an authenticator app. */
  async hasApp({ staffId }: StaffMember): Promise<boolean> {
    const account = await this.#database.asSystem((tx) => findAccount(tx, { id: staffId }));
    return account?.factorSecret != null;
  }

  /** Counts an attempt before anything of it is checked. Throws `too_many_attempts`, `too_many_requests`. */
  async countTry(email: string, address: string): Promise<void> {
    refuseFlood(laneOf(address));
    await this.#attempts.countSignIn(email, address);
  }

  /**
   * Opens a session under the given id; the session that the browser had ends. A wrong password and an unknown email get the same
   * reply in the same time. Throws `validation_failed` on `email`, `too_many_attempts`.
   */
  async signIn(
    { email, password, replaced }: { email: string; password: string; replaced: string | undefined },
    sessionId: string,
    request: RequestInfo,
  ): Promise<StaffMember['level']> {
    const { address, userAgent } = request;
    const account = await this.#database.asSystem((tx) => findAccount(tx, { email }), { oneStatement: true });
    const isRight = await isPasswordOf(password, account?.passwordHash, laneOf(address));
    // Concurrent attempts may have locked the account meanwhile; together they must not exceed the limit.
    await this.#attempts.refuseLocked(staffTries.account(email), failuresPerMinute);
    if (!account || !isRight) {
      await this.#database.asSystem(async (tx) => {
        if ((await countWrongPassword(tx, email)) && account)
          await this.#audit(tx, account.id, request, 'staff.lock');
      });
      throw fieldRefusal('email', 'session.badCredentials');
    }
    return this.#database.asSystem(async (tx) => {
      const held = await findAccount(tx, { id: account.id }, { isHeld: true });
      // Hashing takes time: the password may have been reset, or the account disabled.
      if (held?.passwordHash !== account.passwordHash) throw fieldRefusal('email', 'session.badCredentials');
      const { hasFactor } = held;
      const { isFactorRequired } = this.#settings;
      const level = staffLevelOf({ hasFactor, isFactorRequired, hasPassed: false });
      const life = level === 'complete' ? sessionLife(false) : unfinishedLife;
      if (replaced) await this.#endReplaced(tx, account.id, replaced, request);
      await insertStaffSession(tx, { sessionId, staffId: account.id, ...life, address, userAgent });
      await forgetSignIn(tx, email, address);
      // Before the second factor the other counts stay: each correct password would start them over.
      if (level === 'complete') await forgetLocks(tx, account.id, email);
      if (level === 'complete') await this.#record(tx, account.id, request);
      return level;
    });
  }

  /**
   * Completes the sign-in with a code or a passkey; the session continues under a new id. Throws `validation_failed` on `code` or `passkey`,
   * `too_many_attempts`, `unauthenticated`.
   */
  async pass(
    member: StaffMember,
    proof: StaffProof,
    newSessionId: string,
    request: RequestInfo,
  ): Promise<void> {
    await this.#prove(member, proof, request, async (tx) => {
      await this.#complete(tx, member, member.email, newSessionId);
      await this.#record(tx, member.staffId, request);
    });
  }

  /**
   * Checks a code or a passkey before something that two people have to agree to, or that concerns the second factor. Whoever has no factor, which
   * only the demo allows, needs none. Throws `validation_failed` on `code` or `passkey`, `too_many_attempts`.
   */
  async authorize(member: StaffMember, proof: StaffProof, request: RequestInfo): Promise<void> {
    if (!member.hasFactor) return;
    await this.#prove(member, proof, request, (tx) => forgetLocks(tx, member.staffId, member.email));
  }

  /** Returns the secret that this session is binding; generates one at the first call. Throws `conflict`. */
  async begin(member: StaffMember): Promise<{ secretKey: string; url: string; svg: string }> {
    if (member.hasFactor) throw new Refusal('conflict');
    const fresh = this.#secrets.encrypt(new Secret({ size: secretBytes }).base32);
    const sealed = await this.#database.asSystem((tx) => putPendingSecret(tx, member.sessionId, fresh));
    if (!sealed) throw new Refusal('unauthenticated');
    const secretKey = this.#secrets.decrypt(sealed);
    const url = keyUri(secretKey, this.#settings.issuer, member.email);
    return { secretKey, url, svg: renderSVG(url) };
  }

  /**
   * Binds the app with a first code. This session continues under a new id, all others end. Throws `validation_failed` on `code`,
   * `too_many_attempts`, `conflict`, `unauthenticated`.
   */
  async confirm(
    member: StaffMember,
    code: string,
    newSessionId: string,
    request: RequestInfo,
  ): Promise<void> {
    await this.#attempts.countCode(member.staffId);
    const isBound = await this.#database.asSystem(async (tx) => {
      const account = await findAccount(tx, { id: member.staffId }, { isHeld: true });
      // Another session may have bound an app in the meantime.
      if (!account || account.factorSecret) throw new Refusal('conflict');
      const secret = await findPendingSecret(tx, member.sessionId);
      const step = secret && this.#stepOf(account, secret, code);
      if (!secret || step === undefined) return false;
      await saveFactor(tx, account.id, { secret, step: BigInt(step) });
      await endStaffSessions(tx, account.id, { exceptSessionId: member.sessionId });
      await this.#complete(tx, member, account.email, newSessionId);
      await this.#audit(tx, account.id, request, 'staff.bind_factor');
      return true;
    });
    if (!isBound) await this.#refuseCode(member, request);
  }

  /** Checks a code or a passkey, uses it up, and does something in the same transaction. Each attempt counts. */
  async #prove(
    member: StaffMember,
    { code, passkey }: StaffProof,
    request: RequestInfo,
    work: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    if (!passkey && !code) throw fieldRefusal('code', 'validation.codeRequired');
    await this.#attempts.countCode(member.staffId);
    const isRight = await this.#database.asSystem(async (tx) => {
      const account = await findAccount(tx, { id: member.staffId }, { isHeld: true });
      const isOwn = passkey
        ? account !== undefined && (await this.#passkeys.accept(tx, member, passkey))
        : await this.#takeCode(tx, account, code ?? '');
      if (isOwn) await work(tx);
      return isOwn;
    });
    if (!isRight) await this.#refuseCode(member, request, passkey ? 'passkey' : 'code');
  }

  async #takeCode(tx: Tx, account: StaffAccount | undefined, code: string): Promise<boolean> {
    const step = account?.factorSecret && this.#stepOf(account, account.factorSecret, code);
    if (!account || step === undefined || step === null) return false;
    await saveFactor(tx, account.id, { step: BigInt(step) });
    return true;
  }

  /** Ends the session that a browser had. That of somebody else is audited for its owner. */
  async #endReplaced(tx: Tx, staffId: bigint, sessionId: string, request: RequestInfo): Promise<void> {
    const owner = await endSessionOfAnyone(tx, sessionId);
    if (owner === undefined || owner === staffId) return;
    const { address, userAgent, id: requestId } = request;
    await writeAudit(tx, {
      merchantId: null,
      actor: `staff:${staffId}`,
      action: 'staff.end_session',
      subject: `staff:${owner}`,
      address,
      userAgent,
      requestId,
    });
  }

  #stepOf({ now, factorStep }: StaffAccount, sealed: Buffer, code: string): number | undefined {
    return acceptedStep(this.#secrets.decrypt(sealed), code, now.getTime(), factorStep);
  }

  async #complete(tx: Tx, member: StaffMember, email: string, newSessionId: string): Promise<void> {
    const { staffId, sessionId } = member;
    await raiseStaffSession(tx, sessionId, newSessionId, sessionLife(false));
    await forgetLocks(tx, staffId, email);
  }

  /** Records that somebody has signed in. */
  async #record(tx: Tx, staffId: bigint, request: RequestInfo): Promise<void> {
    await markSignedIn(tx, staffId);
    await this.#audit(tx, staffId, request, 'staff.sign_in');
  }

  /** Counts a wrong code, or passkey, in a row, and refuses it. */
  async #refuseCode(
    { staffId }: StaffMember,
    request: RequestInfo,
    field: 'code' | 'passkey' = 'code',
  ): Promise<never> {
    await this.#database.asSystem(async (tx) => {
      if (await countWrongCode(tx, staffId)) await this.#audit(tx, staffId, request, 'staff.lock');
    });
    throw fieldRefusal(field, field === 'code' ? 'validation.codeWrong' : 'validation.passkeyWrong');
  }

  async #audit(
    tx: Tx,
    staffId: bigint,
    { address, userAgent, id: requestId }: RequestInfo,
    action: 'staff.sign_in' | 'staff.lock' | 'staff.bind_factor',
  ): Promise<void> {
    const who = `staff:${staffId}`;
    const actor = action === 'staff.lock' ? 'nobody' : who;
    await writeAudit(tx, { merchantId: null, actor, action, subject: who, address, userAgent, requestId });
  }
}

const unfinishedLife = { idleSeconds: unfinishedSeconds, longestSeconds: unfinishedSeconds };

/** The lane in the queue for password hashing. */
function laneOf(address: string): string {
  return `staff at ${addressGroup(address).caller}`;
}

/** Writes an audit row of the service for a signed-in member of our staff. */
export async function auditStaff(
  tx: Tx,
  member: StaffMember,
  request: RequestInfo,
  action: 'staff.sign_out' | 'staff.end_session' | 'staff.end_others' | 'staff.password',
): Promise<void> {
  const actor = fieldsOfActor({ member, request });
  await writeAudit(tx, { merchantId: null, ...actor, action, subject: `staff:${member.staffId}` });
}

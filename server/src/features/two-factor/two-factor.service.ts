import { Secret } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Person, RequestInfo } from '#caller.ts';
import { writeAudit } from '#db/audit.ts';
import type { Database, Tx } from '#db/database.ts';
import { clearTries, countOrRefuse } from '#db/throttle.ts';
import { tries } from '#db/throttle-keys.ts';
import { fieldRefusal, Refusal } from '#refusal.ts';
import type { Secrets } from '#secrets.ts';
import { deletePasskeys, takeProof } from './passkeys.sql.ts';
import { openCodes, sealFreshCodes } from './recovery-codes.ts';
import { acceptedStep, codesPerMinute, keyUri } from './two-factor.rules.ts';
import { lockFactor, ownerOf, type StoredFactor, saveFactor } from './two-factor.sql.ts';

const secretBytes = 20;
const minuteSeconds = 60;

/** A secret for an authenticator app. */
export interface ShownSecret {
  secretKey: string;
  /** The QR code, without an XML prologue. */
  svg: string;
  url: string;
}

/** A user's second factor: off → (secret made) pending → on, by a first code; off again from anywhere. */
export class TwoFactorService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  /** Names the product in authenticator apps. */
  readonly #issuer: string;

  constructor(database: Database, secrets: Secrets, issuer: string) {
    this.#database = database;
    this.#secrets = secrets;
    this.#issuer = issuer;
  }

  /** Makes secret and codes where there are none; forced, new ones, and a first code is needed again. */
  async enable(person: Person, request: RequestInfo, isForced: boolean): Promise<void> {
    await this.#change(person, async (tx, factor) => {
      if (factor.secretEncrypted !== null && !isForced) return;
      await saveFactor(tx, ownerOf(person), this.#fresh());
      await this.#trail(tx, person, request, 'two_factor.enable', {
        before: stateOf(factor),
        after: pending,
      });
    });
  }

  /** Turns it on. Throws `validation_failed` on `code`, `too_many_attempts`. */
  async confirm(person: Person, request: RequestInfo, code: string | undefined): Promise<void> {
    await this.#count(person, code);
    await this.#change(person, async (tx, factor) => {
      const lastStep = this.#accept(factor, code);
      await clearTries(tx, [tries.factor(person.userId)]);
      await saveFactor(tx, ownerOf(person), { confirmedAt: factor.now, lastStep });
      await this.#trail(tx, person, request, 'two_factor.on', { before: stateOf(factor), after: on });
    });
  }

  /**
   * Takes the second factor of a person who has one: a code, or the passkey that was shown for this. Throws
   * `validation_failed` on `code`, `too_many_attempts`.
   */
  async check(person: Person, code: string | undefined): Promise<void> {
    if (person.twoFactor !== 'on') return;
    if (code === undefined) {
      if (await this.#database.asSystem((tx) => takeProof(tx, person.sessionId), { oneStatement: true }))
        return;
      if (!person.factors.includes('app')) throw fieldRefusal('code', 'validation.passkeyRequired');
    }
    await this.#count(person, code);
    await this.#change(person, async (tx, factor) => {
      const lastStep = this.#accept(factor, code);
      await clearTries(tx, [tries.factor(person.userId)]);
      await saveFactor(tx, ownerOf(person), { lastStep });
    });
  }

  /** Turns it off and forgets everything, passkeys too; a user who must have one binds it again before anything else opens. */
  async disable(person: Person, request: RequestInfo): Promise<void> {
    const nothing = { secretEncrypted: null, confirmedAt: null, lastStep: null, codesEncrypted: null };
    await this.#change(person, async (tx, factor) => {
      const passkeys = await deletePasskeys(tx, ownerOf(person));
      if (factor.secretEncrypted === null && passkeys === 0) return;
      await saveFactor(tx, ownerOf(person), nothing);
      const before = { ...stateOf(factor), passkeys };
      await this.#trail(tx, person, request, 'two_factor.off', { before, after: { ...off, passkeys: 0 } });
    });
  }

  /** The secret as an authenticator app takes it; undefined where there is none. */
  async secretOf(person: Person): Promise<ShownSecret | undefined> {
    return this.#change(person, async (_tx, factor) => this.#shown(factor));
  }

  /** The recovery codes; none where the second factor was never enabled. */
  async codesOf(person: Person): Promise<string[]> {
    return this.#change(person, async (_tx, { codesEncrypted }) => openCodes(this.#secrets, codesEncrypted));
  }

  /** Replaces all recovery codes. Throws `not_found` where there is no second factor. */
  async renewCodes(person: Person, request: RequestInfo): Promise<void> {
    await this.#change(person, async (tx, factor) => {
      if (factor.codesEncrypted === null) throw new Refusal('not_found');
      await saveFactor(tx, ownerOf(person), { codesEncrypted: sealFreshCodes(this.#secrets) });
      await this.#trail(tx, person, request, 'two_factor.codes_renewed');
    });
  }

  /** First binding of a user who must have one: makes the secret where there is none. Throws `conflict` for others. */
  async begin(person: Person, request: RequestInfo): Promise<ShownSecret> {
    if (person.twoFactor !== 'required') throw new Refusal('conflict');
    return this.#change(person, async (tx, factor) => {
      if (factor.confirmedAt !== null) throw new Refusal('conflict');
      const known = this.#shown(factor);
      if (known) return known;
      const change = this.#fresh();
      await saveFactor(tx, ownerOf(person), change);
      await this.#trail(tx, person, request, 'two_factor.enable', { before: off, after: pending });
      return this.#shown({ ...factor, ...change }) as ShownSecret;
    });
  }

  /** Ends the first binding by a code; answers the recovery codes. Throws like {@link confirm}, or `conflict`. */
  async finish(person: Person, request: RequestInfo, code: string | undefined): Promise<string[]> {
    if (person.twoFactor !== 'required') throw new Refusal('conflict');
    await this.confirm(person, request, code);
    return this.codesOf(person);
  }

  #change<T>(person: Person, work: (tx: Tx, factor: StoredFactor) => Promise<T>): Promise<T> {
    return this.#database.asSystem(async (tx) => work(tx, await lockFactor(tx, ownerOf(person))));
  }

  /** Counts a try; nothing typed is none. Throws `validation_failed` on `code`, `too_many_attempts`. */
  async #count(person: Person, code: string | undefined): Promise<void> {
    if (code === undefined) throw fieldRefusal('code', 'validation.codeRequired');
    const limit = { limit: codesPerMinute, windowSeconds: minuteSeconds };
    await countOrRefuse(this.#database, tries.factor(person.userId), limit);
  }

  /** The step of a right code. Throws `validation_failed` on `code`. */
  #accept(factor: StoredFactor, code: string | undefined): bigint {
    if (code === undefined) throw fieldRefusal('code', 'validation.codeRequired');
    const secret = factor.secretEncrypted && this.#secrets.decrypt(factor.secretEncrypted);
    const step = secret ? acceptedStep(secret, code, factor.now.getTime(), factor.lastStep) : undefined;
    if (step === undefined) throw fieldRefusal('code', 'validation.codeWrong');
    return BigInt(step);
  }

  #fresh() {
    const secret = new Secret({ size: secretBytes }).base32;
    return {
      secretEncrypted: this.#secrets.encrypt(secret),
      confirmedAt: null,
      lastStep: null,
      codesEncrypted: sealFreshCodes(this.#secrets),
    };
  }

  #shown({ secretEncrypted, email }: StoredFactor): ShownSecret | undefined {
    if (secretEncrypted === null) return undefined;
    const secretKey = this.#secrets.decrypt(secretEncrypted);
    const url = keyUri(secretKey, this.#issuer, email);
    return { secretKey, url, svg: renderSVG(url) };
  }

  async #trail(
    tx: Tx,
    person: Person,
    request: RequestInfo,
    action: string,
    change: { before?: object; after?: object } = {},
  ): Promise<void> {
    await writeAudit(tx, {
      merchantId: person.home.merchantId,
      actor: `user:${person.userId}`,
      action,
      address: request.address,
      requestId: request.id,
      ...change,
    });
  }
}

/** The states of an app, as the trail tells them. */
const [off, pending, on] = [{ app: 'off' }, { app: 'pending' }, { app: 'on' }];

function stateOf({ secretEncrypted, confirmedAt }: StoredFactor): { app: string } {
  if (secretEncrypted === null) return off;
  return confirmedAt === null ? pending : on;
}

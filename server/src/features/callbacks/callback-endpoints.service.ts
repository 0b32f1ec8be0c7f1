import { randomBytes } from 'node:crypto';
import type { EndpointInput, EndpointState } from '@hengfu/contract/callback-endpoints';
import { deleteEndedSecrets } from '#callbacks/endpoints.sql.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { askForAccess } from '#domain/access-approval.sql.ts';
import { auditPerson, writeAudit } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { lockStanding } from '#domain/standing.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import {
  countEndpoints,
  type Endpoint,
  insertEndpoint,
  type LockedEndpoint,
  listEndpoints,
  lockEndpoint,
  removeEndpoint,
  replaceSecret,
  setState,
  skipHeld,
  updateEndpoint,
} from './callback-endpoints.sql.ts';
import { scheduleRelease } from './callback-release.ts';
import { isWider, recorded } from './callbacks.rules.ts';

const secretBytes = 32;

/** Draws a secret of an endpoint, in the form of Standard Webhooks. */
export function freshSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** Checks the code of a person who has a second factor. Throws if it is missing or wrong. */
type CheckCode = (person: Person, code: string | undefined) => Promise<void>;

/** A code of a person who has shown no passkey. */
interface Proof {
  code?: string | undefined;
}

const turned = {
  on: 'callback_endpoint.on',
  paused: 'callback_endpoint.pause',
  off: 'callback_endpoint.off',
} as const;

/** Manages a merchant's callback endpoints for its own people. */
export class CallbackEndpoints {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #checkCode: CheckCode;

  constructor(database: Database, secrets: Secrets, checkCode: CheckCode) {
    this.#database = database;
    this.#secrets = secrets;
    this.#checkCode = checkCode;
  }

  /** Deletes previous secrets that have ended. */
  readonly sweep = deleteEndedSecrets;

  list(merchantId: bigint): Promise<Endpoint[]> {
    return this.#database.asMerchant(merchantId, (tx) => listEndpoints(tx));
  }

  /**
   * Adds an endpoint. Returns the number of the request instead if a rule asks for approval. Throws `quota_reached`; `request_waiting` while another
   * change of an endpoint waits; or the refusal of the code.
   */
  async create(
    person: Person,
    request: RequestInfo,
    { code, ...fields }: EndpointInput & Proof,
  ): Promise<Endpoint | { requestNo: string }> {
    const { merchantId } = person.home;
    await this.#checkCode(person, code);
    return this.#database.asSystemFor(merchantId, async (tx) => {
      await lockStanding(tx, merchantId);
      await assertWithinQuota(tx, 'callbackEndpointsOfMerchant', merchantId, () => countEndpoints(tx));
      const { url, events, description } = fields;
      const requestNo = await askForAccess(tx, person, request, {
        setting: 'endpoint',
        action: 'endpoint',
        endpointId: null,
        before: null,
        after: { url, events },
        description,
      });
      if (requestNo !== undefined) return { requestNo };
      const secret = this.#secrets.encrypt(freshSecret());
      const id = await insertEndpoint(tx, fields, { secret, createdBy: `user:${person.userId}` });
      const change = { subject: url, after: recorded(fields) };
      await auditPerson(tx, person, request, 'callback_endpoint.create', change);
      return this.#changed(tx, id);
    });
  }

  /**
   * Changes an endpoint. If a rule asks for approval, a new address and further events wait, and the number of the request is returned.
   * Throws `not_found`; `request_waiting` while another change of an endpoint waits; or the refusal of the code.
   */
  async update(
    person: Person,
    request: RequestInfo,
    id: bigint,
    { code, ...fields }: EndpointInput & Proof,
  ): Promise<Endpoint | { requestNo: string }> {
    const { merchantId } = person.home;
    await this.#find(person, id);
    await this.#checkCode(person, code);
    return this.#database.asSystemFor(merchantId, async (tx) => {
      await lockStanding(tx, merchantId);
      const before = await orNotFound(lockEndpoint(tx, id));
      const { url, events, description } = fields;
      const requestNo = isWider(before, fields)
        ? await askForAccess(tx, person, request, {
            setting: 'endpoint',
            action: 'endpoint',
            endpointId: String(id),
            before: { url: before.url, events: before.events },
            after: { url, events },
            description,
          })
        : undefined;
      if (requestNo !== undefined) return { requestNo };
      await updateEndpoint(tx, before, fields);
      await auditPerson(tx, person, request, 'callback_endpoint.update', {
        subject: url,
        before: recorded(before),
        after: recorded(fields),
      });
      return this.#changed(tx, id);
    });
  }

  /** Turns an endpoint on or off, or pauses it. Messages that have waited are then sent little by little. Throws `not_found`. */
  turn(
    person: Person,
    request: RequestInfo,
    id: bigint,
    state: Exclude<EndpointState, 'autoPaused'>,
  ): Promise<Endpoint> {
    return this.#change(person, id, async (tx, endpoint) => {
      if (endpoint.state === state) return;
      await setState(tx, id, state);
      if (state === 'on') await scheduleRelease(tx, id);
      const change = {
        subject: endpoint.url,
        before: { state: endpoint.state },
        after: { state },
      };
      await auditPerson(tx, person, request, turned[state], change);
    });
  }

  /** Gives up the messages that wait for an endpoint. Returns how many. Throws `not_found`. */
  async skipWaiting(person: Person, request: RequestInfo, id: bigint): Promise<number> {
    let skipped = 0;
    await this.#change(person, id, async (tx, { url }) => {
      skipped = await skipHeld(tx, id);
      const change = { subject: url, after: { skipped } };
      await auditPerson(tx, person, request, 'callback_endpoint.skip', change);
    });
    return skipped;
  }

  /** Reveals the secret of an endpoint. Throws `not_found`, or the refusal of the code. */
  async reveal(person: Person, request: RequestInfo, id: bigint, code: string | undefined): Promise<string> {
    await this.#find(person, id);
    await this.#checkCode(person, code);
    return this.#database.asSystemFor(person.home.merchantId, async (tx) => {
      const { url, secret } = await orNotFound(lockEndpoint(tx, id));
      await auditPerson(tx, person, request, 'callback_endpoint.reveal', { subject: url });
      return this.#secrets.decrypt(secret);
    });
  }

  /**
   * Makes a new secret; the previous one signs beside it for `overlapHours`. Throws `not_found`; `conflict` while an earlier one still
   * signs, unless `overlapHours` is 0; or the refusal of the code.
   */
  async rotate(
    person: Person,
    request: RequestInfo,
    id: bigint,
    { overlapHours, code }: Proof & { overlapHours: number },
  ): Promise<string> {
    const { previousEndsAt } = await this.#find(person, id);
    // Before the code is used up. Somebody else may still make a secret until the endpoint is locked.
    if (previousEndsAt !== null && overlapHours > 0) throw new Refusal('conflict');
    await this.#checkCode(person, code);
    const secret = freshSecret();
    await this.#change(person, id, async (tx, endpoint) => {
      const next = { secret: this.#secrets.encrypt(secret), overlapHours };
      if (!(await replaceSecret(tx, endpoint, next))) throw new Refusal('conflict');
      const change = { subject: endpoint.url, after: { overlapHours } };
      await auditPerson(tx, person, request, 'callback_endpoint.rotate', change);
    });
    return secret;
  }

  /** Removes an endpoint, and gives up its messages that were not delivered. Throws `not_found`. */
  remove(person: Person, request: RequestInfo, id: bigint): Promise<void> {
    return this.#database.asSystemFor(person.home.merchantId, async (tx) => {
      const { url } = await orNotFound(lockEndpoint(tx, id));
      await removeEndpoint(tx, id);
      const skipped = await skipHeld(tx, id);
      await auditPerson(tx, person, request, 'callback_endpoint.remove', {
        subject: url,
        after: { skipped },
      });
      tx.changed(tx.merchantId, 'callbacks');
    });
  }

  /** Tells the merchant that an endpoint was paused because it had failed for days, in the transaction that has paused it. */
  readonly paused = async (tx: MerchantTx, { url }: { url: string }): Promise<void> => {
    const { merchantId } = tx;
    await writeAudit(tx, {
      merchantId,
      actor: 'job:callbacks.endpoint',
      action: 'callback_endpoint.auto_pause',
      subject: url,
    });
    await writeNotice(tx, { merchantId, kind: 'callbacksPaused', subject: url, facts: {} });
    tx.changed(merchantId, 'callbacks');
  };

  /** Throws `not_found` before a code is asked for, and used up. */
  #find({ home: { merchantId } }: Person, id: bigint): Promise<Endpoint> {
    return this.#database.asMerchant(merchantId, (tx) =>
      orNotFound(listEndpoints(tx, id).then(([endpoint]) => endpoint)),
    );
  }

  #change(
    person: Person,
    id: bigint,
    change: (tx: MerchantTx, endpoint: LockedEndpoint) => Promise<void>,
  ): Promise<Endpoint> {
    return this.#database.asSystemFor(person.home.merchantId, async (tx) => {
      await change(tx, await orNotFound(lockEndpoint(tx, id)));
      return this.#changed(tx, id);
    });
  }

  async #changed(tx: MerchantTx, id: bigint): Promise<Endpoint> {
    tx.changed(tx.merchantId, 'callbacks');
    return orNotFound(listEndpoints(tx, id).then(([endpoint]) => endpoint));
  }
}

async function orNotFound<T>(finding: Promise<T | undefined>): Promise<T> {
  const found = await finding;
  if (found === undefined) throw new Refusal('not_found');
  return found;
}

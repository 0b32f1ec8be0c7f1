import { randomBytes } from 'node:crypto';
import type { AuditValues } from '@hengfu/contract/audit-fields';
import { formatAmount, parseAmount } from '@hengfu/contract/money';
import type { PaymentLinkInput, PaymentLinkQuery } from '@hengfu/contract/payment-links';
import type { Database, MerchantTx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Home, Person, RequestInfo } from '#domain/caller.ts';
import { findReply, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import { type Image, imageRefusal } from '#domain/images.ts';
import { assertCollectionWithinLimit } from '#domain/limits.sql.ts';
import type { Page } from '#domain/list.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { readImage } from '#files/uploaded-images.ts';
import { settingsVersion } from './link-version.ts';
import {
  countLinks,
  findLink,
  findPicture,
  insertLink,
  type LinkFields,
  type PaymentLink,
  setPicture,
  updateLink,
} from './payment-links.sql.ts';
import { listLinks } from './payment-links-list.sql.ts';

const tokenBytes = 16;

/** A link's new settings, with the version of those that the person saw. */
type SeenInput = PaymentLinkInput & { version?: string | undefined };

/** A merchant's use cases of payment links: create, change, turn on and off, and read them. */
export class PaymentLinks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(home: Home, query: PaymentLinkQuery): Promise<Page<PaymentLink>> {
    return this.#database.asMerchant(home.merchantId, (tx) => listLinks(tx, query), { snapshot: true });
  }

  /** Throws `not_found`, also for another merchant's link. */
  find(merchantId: bigint, linkNo: string): Promise<PaymentLink> {
    return this.#database.asMerchant(merchantId, async (tx) => orNotFound(await findLink(tx, { linkNo })));
  }

  /** Throws `not_found`, also for a link without a picture. */
  picture(merchantId: bigint, linkNo: string): Promise<Image> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      const { id } = orNotFound(await findLink(tx, { linkNo }));
      return orNotFound(await findPicture(tx, id));
    });
  }

  /**
   * Creates a link. A repeated call with the same idempotency key returns the first call's link. Throws `validation_failed`,
   * `uploads_busy`, `quota_reached`, `limit_exceeded`, `merchant_suspended`, `idempotency_key_reused`, `idempotency_in_flight`.
   */
  async create(person: Person, request: RequestInfo, body: PaymentLinkInput): Promise<PaymentLink> {
    const { merchantId, currency } = person.home;
    const fields = fieldsOf(body, person.home);
    const picture = body.picture ? await pictureOf(body.picture, merchantId) : null;
    const key = idempotencyKeyOf(person, request, requestHash(body));
    return this.#database.asMerchant(merchantId, async (tx) => {
      const earlier = await findReply<{ linkNo: string }>(tx, key);
      if (earlier) return orNotFound(await findLink(tx, earlier));
      await assertMayBegin(tx, 'newCollection', person.userId);
      await assertPriceWithinLimit(tx, fields);
      await assertWithinQuota(tx, 'linksOfMerchant', merchantId, () => countLinks(tx));
      const { id, linkNo } = await insertLink(tx, fields, {
        currency,
        token: randomBytes(tokenBytes).toString('base64url'),
        createdBy: `user:${person.userId}`,
      });
      await setPicture(tx, id, picture);
      const after = recordOf(fields, hashOf(picture), person.home);
      await auditPerson(tx, person, request, 'payment_link.create', { subject: linkNo, after });
      await keepReply(tx, key, { linkNo });
      tx.changed(merchantId, 'collections');
      return orNotFound(await findLink(tx, { linkNo }));
    });
  }

  /**
   * Changes a link. Its orders stay as they are. Throws `not_found`, `conflict` if it has changed since the given version, `validation_failed`,
   * `limit_exceeded`, `uploads_busy`.
   */
  async update(
    person: Person,
    request: RequestInfo,
    linkNo: string,
    { version, ...body }: SeenInput,
  ): Promise<PaymentLink> {
    const { home } = person;
    const fields = fieldsOf(body, home);
    const picture = body.picture ? await pictureOf(body.picture, home.merchantId) : null;
    return this.#change(person, linkNo, async (tx, link) => {
      const pictureHash = body.picture === undefined ? link.pictureHash : hashOf(picture);
      if (version !== undefined && version !== settingsVersion(link)) {
        // A repetition after a lost reply finds what it made itself.
        if (settingsVersion({ ...link, ...fields, pictureHash }) === settingsVersion(link)) return;
        throw new Refusal('conflict');
      }
      if (fields.maxUses !== null && fields.maxUses < link.liveOrders + link.paidOrders)
        throw fieldRefusal('maxUses', 'validation.usesTaken', { count: link.liveOrders + link.paidOrders });
      await assertPriceWithinLimit(tx, fields);
      await updateLink(tx, link, fields);
      if (body.picture !== undefined) await setPicture(tx, link.id, picture);
      await auditPerson(tx, person, request, 'payment_link.update', {
        subject: linkNo,
        before: recordOf(link, link.pictureHash, home),
        after: recordOf(fields, pictureHash, home),
      });
    });
  }

  /** Turns a link on or off. Throws `not_found`. */
  turn(person: Person, request: RequestInfo, linkNo: string, isOn: boolean): Promise<PaymentLink> {
    return this.#change(person, linkNo, async (tx, link) => {
      if (link.isOn === isOn) return;
      await updateLink(tx, link, { isOn });
      const change = { subject: linkNo, before: { isEnabled: link.isOn }, after: { isEnabled: isOn } };
      await auditPerson(tx, person, request, isOn ? 'payment_link.on' : 'payment_link.off', change);
    });
  }

  #change(
    { home: { merchantId } }: Person,
    linkNo: string,
    change: (tx: MerchantTx, link: PaymentLink) => Promise<void>,
  ): Promise<PaymentLink> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      orNotFound(await findLink(tx, { linkNo }, { isHeld: true }));
      // Read once it is held: a query that waits for the lock has the picture of before.
      await change(tx, orNotFound(await findLink(tx, { linkNo })));
      tx.changed(merchantId, 'collections');
      return orNotFound(await findLink(tx, { linkNo }));
    });
  }
}

/** Refuses a price that no payer could pay. Throws `limit_exceeded`. */
async function assertPriceWithinLimit(
  tx: MerchantTx,
  { amountMinor, leastMinor }: LinkFields,
): Promise<void> {
  await assertCollectionWithinLimit(tx, amountMinor ?? leastMinor ?? 0n);
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new Refusal('not_found');
  return found;
}

/** Re-encodes a picture. Throws `validation_failed`, `uploads_busy`. */
async function pictureOf(base64: string, merchantId: bigint): Promise<Image> {
  const image = await readImage(base64, String(merchantId));
  if (typeof image !== 'string') return image;
  throw imageRefusal(image, { field: 'picture', unreadable: 'validation.pictureRequired' });
}

/** Reads a body in the merchant's currency. Throws `validation_failed`. */
function fieldsOf(body: PaymentLinkInput, { currency }: Home): LinkFields {
  const minor = (field: 'amount' | 'least' | 'most') => {
    if (body[field] === '') return null;
    const amountMinor = parseAmount(body[field], currency) ?? 0n;
    if (amountMinor <= 0n) throw fieldRefusal(field, 'validation.amount');
    return amountMinor;
  };
  const [amountMinor, leastMinor, mostMinor] = [minor('amount'), minor('least'), minor('most')];
  if (leastMinor !== null && mostMinor !== null && leastMinor > mostMinor)
    throw fieldRefusal('most', 'validation.linkLimits');
  // The sum of one order must be an amount, too.
  const sumMinor = (amountMinor ?? 0n) * BigInt(body.maxQuantity);
  if (parseAmount(formatAmount(sumMinor, currency), currency) === undefined)
    throw fieldRefusal('amount', 'validation.amount');
  return {
    title: body.title,
    description: body.description || null,
    amountMinor,
    leastMinor,
    mostMinor,
    maxQuantity: body.maxQuantity,
    maxUses: body.maxUses,
    asked: body.asked,
    note: body.note || null,
    returnUrl: body.returnUrl || null,
    expiresAt: body.expiresAt === null ? null : new Date(body.expiresAt),
  };
}

function hashOf(picture: Image | null): string | null {
  return picture === null ? null : picture.sha256.toString('hex');
}

/** Returns the fields of a link that the audit trail records; of its picture the hash. */
function recordOf(link: LinkFields, picture: string | null, { currency }: Home): AuditValues {
  const money = (amountMinor: bigint | null) =>
    amountMinor === null ? null : formatAmount(amountMinor, currency);
  return {
    title: link.title,
    description: link.description,
    picture,
    amount: money(link.amountMinor),
    least: money(link.leastMinor),
    most: money(link.mostMinor),
    maxQuantity: link.maxQuantity,
    maxUses: link.maxUses,
    expiresAt: link.expiresAt?.toISOString() ?? null,
    asked: link.asked.known,
    ownFields: link.asked.own,
    note: link.note,
    returnUrl: link.returnUrl,
  };
}

import { isDeepStrictEqual } from 'node:util';
import type { RecordedAction } from '@hengfu/contract/audit-log';
import type { RoleCode } from '@hengfu/contract/permissions';
import type { Database } from '#db/database.ts';
import { assertMayAddKey, insertAccessKey, type KeyLimits } from '#domain/access-keys.sql.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { readGrant } from '#domain/own-roles.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { refuseClosed } from '#domain/whitelist.sql.ts';
import { hashStaffCode } from '#http/session.rules.ts';
import { refuseOpen } from '#security/open-blocks.ts';
import { hashPassword } from '#security/passwords.ts';
import type { Secrets } from '#security/secrets.ts';
import { type ChannelRow, ChannelService } from './channels/channels.service.ts';
import {
  insertMerchant,
  insertUser,
  isFactorRequired,
  listMerchants,
  listUsers,
  listWithoutFactor,
  type MerchantRow,
  type NewMerchant,
  type NewTerms,
  readAllowedAddresses,
  updateAllowedAddresses,
  updateTwoFactorRule,
  workFor,
} from './merchants.sql.ts';
import { freshStaffCode } from './staff-codes.ts';
import { writeTerms } from './terms/write-terms.ts';
import { putEnrolmentCode } from './users.sql.ts';

/** The list of merchants concerns our staff alone. */
const ofService = 0n;

/** The name and the limits of a new access key, each if it has one. */
export interface KeyToAdd extends KeyLimits {
  name?: string;
}

/** A new user of a merchant, as the operator enters it. */
export interface UserInput {
  email: string;
  name: string;
  password: string;
  /** If absent, the user sets one in the console. */
  paymentPassword?: string;
  roles: readonly RoleCode[];
}

/** Manages merchants and their users, terms and channels on behalf of an operator or one of our staff. Every change is audited. */
export class MerchantService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #channels: ChannelService;
  /** The operator or member of our staff, for the audit trail. */
  readonly #actor: ServiceActor;

  constructor(database: Database, secrets: Secrets, actor: ServiceActor) {
    this.#database = database;
    this.#secrets = secrets;
    this.#channels = new ChannelService(database);
    this.#actor = actor;
  }

  /** Creates a merchant. Throws `conflict` if the code is taken. */
  async create(merchant: NewMerchant): Promise<bigint> {
    return this.#database.asSystem(async (tx) => {
      const id = await insertMerchant(tx, merchant);
      if (id === undefined) throw new Refusal('conflict');
      await workFor(tx, id);
      tx.changed(ofService, 'merchants');
      await writeAudit(tx, {
        ...this.#auditFields('merchant.create', id),
        subject: merchant.code,
        after: merchant,
      });
      return id;
    });
  }

  /** Finds a merchant by its code. Throws `not_found`. */
  async find(code: string): Promise<MerchantRow> {
    const found = (await this.list()).find((merchant) => merchant.code === code);
    if (!found) throw new Refusal('not_found');
    return found;
  }

  /** Finds a merchant by its ID. Throws `not_found`. */
  async findById(id: bigint): Promise<MerchantRow> {
    const found = (await this.list()).find((merchant) => merchant.id === id);
    if (!found) throw new Refusal('not_found');
    return found;
  }

  list(): Promise<MerchantRow[]> {
    return this.#database.asSystem((tx) => listMerchants(tx));
  }

  /**
   * Sets whether a merchant's users must bind a second factor before they can do anything else. Returns the
   * emails of the users who have none: each of them needs an enrollment code.
   */
  async requireTwoFactor(merchantId: bigint, isRequired: boolean): Promise<string[]> {
    return this.#database.asSystem(async (tx) => {
      await updateTwoFactorRule(tx, merchantId, isRequired);
      await writeAudit(tx, {
        ...this.#auditFields('merchant.two_factor', merchantId),
        after: { isRequired },
      });
      return isRequired ? listWithoutFactor(tx, merchantId) : [];
    });
  }

  /**
   * Creates a user. Returns the code for binding a second factor; undefined if the merchant requires none.
   * Throws `conflict` if the email is taken; `validation_failed` if the merchant has no such role.
   */
  async createUser(merchantId: bigint, input: UserInput): Promise<string | undefined> {
    const email = input.email.trim().normalize('NFKC').toLowerCase();
    const passwordHash = await hashPassword(input.password);
    const paymentPasswordHash =
      input.paymentPassword === undefined ? null : await hashPassword(input.paymentPassword);
    const { name, roles } = input;
    const code = freshStaffCode();
    return this.#database.asSystem(async (tx) => {
      await readGrant(tx, merchantId, roles);
      const id = await insertUser(tx, { merchantId, email, name, passwordHash, paymentPasswordHash, roles });
      if (id === undefined) throw new Refusal('conflict');
      await writeAudit(tx, {
        ...this.#auditFields('user.create', merchantId),
        subject: email,
        after: { name, roles },
      });
      if (!(await isFactorRequired(tx, merchantId))) return undefined;
      await putEnrolmentCode(tx, { id }, hashStaffCode(code));
      return code;
    });
  }

  listUsers(merchantId?: bigint) {
    return this.#database.asSystem((tx) => listUsers(tx, merchantId));
  }

  async setTerms(merchantId: bigint, terms: NewTerms): Promise<void> {
    await this.#database.asSystem((tx) => writeTerms(tx, merchantId, terms, this.#actor));
  }

  listChannels(): Promise<ChannelRow[]> {
    return this.#channels.list();
  }

  /** Adds the product's missing channels, all served by one adapter, to live merchants or to test merchants alone. */
  installChannels(adapter: string, isLive = true): Promise<void> {
    return this.#channels.install(adapter, isLive);
  }

  /** Opens or closes a channel for collecting, paying out, or both; throws `not_found`. */
  setChannel(code: string, open: { collection?: boolean; payout?: boolean }): Promise<void> {
    return this.#channels.set(code, open, this.#actor);
  }

  /** Adds an access key with a given secret. Without limits, it may make every call and does not expire. Throws `quota_reached`. */
  async addAccessKey(
    merchantId: bigint,
    keyId: string,
    secret: string,
    limits: KeyToAdd = {},
  ): Promise<void> {
    const secretEncrypted = this.#secrets.encrypt(secret);
    await this.#database.asSystem(async (tx) => {
      await assertMayAddKey(tx, merchantId);
      await insertAccessKey(tx, { ...limits, keyId, merchantId, secretEncrypted });
      await writeAudit(tx, {
        ...this.#auditFields('access_key.add', merchantId),
        subject: keyId,
        ...(Object.keys(limits).length > 0 && { after: limits }),
      });
    });
  }

  /** Returns the CIDR blocks from which a merchant's system may call. */
  allowedAddresses(merchantId: bigint): Promise<string[]> {
    return this.#database.asSystem((tx) => readAllowedAddresses(tx, merchantId));
  }

  /**
   * Sets the CIDR blocks from which a merchant's system may call. Throws `whitelist_open` if they cover a
   * large part of the internet and `confirmOpen` is not set; `whitelist_empty` or `whitelist_excludes` if they
   * would stop the merchant's systems and `confirmClosed` is not set; `approval_changed` if the list is no longer `asSeen`.
   */
  async setAllowedAddresses(
    merchantId: bigint,
    blocks: readonly string[],
    {
      confirmOpen,
      confirmClosed,
      asSeen,
    }: {
      confirmOpen?: boolean | undefined;
      confirmClosed?: boolean | undefined;
      asSeen?: readonly string[];
    } = {},
  ): Promise<void> {
    if (!confirmOpen) refuseOpen(blocks);
    await this.#database.asSystem(async (tx) => {
      if (!confirmClosed) await refuseClosed(tx, merchantId, blocks);
      const before = await updateAllowedAddresses(tx, merchantId, blocks);
      // The row is locked: a change by the merchant came before, and is not undone.
      if (asSeen && !isDeepStrictEqual(before, asSeen)) throw new Refusal('approval_changed');
      // Also for requests that cannot be approved any more.
      tx.changed(merchantId, 'approvals');
      await writeAudit(tx, {
        ...this.#auditFields('ip_address.set', merchantId),
        before: { blocks: before },
        after: { blocks },
      });
    });
  }

  #auditFields(action: RecordedAction, merchantId: bigint) {
    return { merchantId, ...fieldsOfActor(this.#actor), action };
  }
}

import {
  merchantActionsShown,
  merchantsPerPage,
  type NewMerchantInput,
} from '@hengfu/contract/staff/merchants';
import type { Database, MerchantTx } from '#db/database.ts';
import type { StaffActor, StaffMember } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { findListedMerchant, type ListedMerchant } from '#domain/staff-merchants.sql.ts';
import { countOrRefuse, listBlocked } from '#domain/throttle.sql.ts';
import { locksOf, staffTries } from '#domain/throttle-keys.ts';
import type { Secrets } from '#security/secrets.ts';
import { MerchantService } from '../merchants.service.ts';
import { listPastSettlements, readLimits, readSettlement } from '../settings/settings.sql.ts';
import { UserService } from '../users.service.ts';
import {
  insertNote,
  listBalances,
  listKeyFacts,
  listLateCallers,
  listMerchantsFrom,
  listNotes,
  listOfficeActions,
  listTerms,
  listWithdrawalTerms,
  type MerchantFilters,
  readFacts,
} from './merchant-office.sql.ts';
import {
  findEmail,
  hasPeople,
  listOpenInvitations,
  listPeople,
  type OfficePerson,
} from './merchant-people.sql.ts';
import { officeActions } from './office-actions.ts';

export type { ListedMerchant };

/** Times that one person can be unlocked: each gives a few more guesses. */
const unlocks = { limit: 3, windowSeconds: 3600 };

/** The link of an invitation, and until when it can be used. */
export interface OwnerLink {
  url: string;
  expiresAt: Date;
}

/** Invites the owner of a merchant; `renewId` is that of an invitation whose link is replaced. */
export type InviteOwner = (
  by: StaffActor,
  merchantId: bigint,
  invitation: { email: string } | { renewId: bigint },
) => Promise<OwnerLink>;

export interface MerchantOfficeOptions {
  database: Database;
  secrets: Secrets;
  inviteOwner: InviteOwner;
}

/** The list of merchants concerns our staff alone. */
const ofService = 0n;

/** Shows merchants to our staff, creates them, and helps their people. Each read names one merchant, but for the list. */
export class MerchantOffice {
  readonly #options: MerchantOfficeOptions;

  constructor(options: MerchantOfficeOptions) {
    this.#options = options;
  }

  /** Lists a page of merchants by code. `next` is the code after which the next page begins; null at the end. */
  async list(filters: MerchantFilters): Promise<{ merchants: ListedMerchant[]; next: string | null }> {
    const rows = await this.#options.database.asSystem((tx) => listMerchantsFrom(tx, filters));
    const merchants = rows.slice(0, merchantsPerPage);
    return { merchants, next: rows.length > merchantsPerPage ? (merchants.at(-1)?.code ?? null) : null };
  }

  /** Returns a merchant with its facts and balances. Throws `not_found`. */
  get(code: string) {
    return this.#read(code, async (tx, merchant) => ({
      ...merchant,
      ...(await readFacts(tx)),
      balances: await listBalances(tx),
    }));
  }

  /** Lists the people of a merchant and its open invitations. Throws `not_found`. */
  async people(code: string, { staffId }: StaffMember) {
    const { people, invitations } = await this.#read(code, async (tx) => ({
      people: await listPeople(tx, staffId),
      invitations: await listOpenInvitations(tx),
    }));
    const keys = people.flatMap(({ id, email }) => locksOf(id, email));
    const blocked = await this.#options.database.asSystem((tx) => listBlocked(tx, keys));
    const isLocked = ({ id, email }: OfficePerson) =>
      locksOf(id, email).some((key) => blocked.some((each) => each.equals(key)));
    return { people: people.map((person) => ({ ...person, isLocked: isLocked(person) })), invitations };
  }

  /** Returns the access of a merchant's systems, without secrets. Throws `not_found`. */
  access(code: string) {
    return this.#read(code, async (tx) => ({
      keys: await listKeyFacts(tx),
      whitelist: (await readFacts(tx)).whitelist,
      callers: await listLateCallers(tx),
    }));
  }

  /** Returns all versions of a merchant's terms, all of its settlement cycle, and its limits. Throws `not_found`. */
  terms(code: string) {
    return this.#read(code, async (tx, { currency }) => ({
      currency,
      channels: await listTerms(tx),
      withdrawals: await listWithdrawalTerms(tx),
      facts: await readFacts(tx),
      settlement: await readSettlement(tx),
      pastSettlements: await listPastSettlements(tx),
      limits: await readLimits(tx),
    }));
  }

  /** Lists the latest notes about a merchant. Throws `not_found`. */
  notes(code: string) {
    return this.#read(code, listNotes);
  }

  /** Adds a note about a merchant. Throws `not_found`. */
  addNote(code: string, { member }: StaffActor, text: string): Promise<void> {
    return this.#within(code, async (tx) => {
      await insertNote(tx, member.staffId, text);
      tx.changed(ofService, 'merchants');
    });
  }

  /** Lists the latest actions of our staff and of operators that concern a merchant. Throws `not_found`. */
  actions(code: string) {
    return this.#read(code, (tx) => listOfficeActions(tx, officeActions, merchantActionsShown));
  }

  /** Creates a merchant, and the invitation of its owner. Throws `conflict` if the code is taken. */
  async create({ email, ...merchant }: NewMerchantInput, by: StaffActor): Promise<OwnerLink> {
    const { database, secrets, inviteOwner } = this.#options;
    const id = await new MerchantService(database, secrets, by).create(merchant);
    return inviteOwner(by, id, { email });
  }

  /**
   * Makes a link for the owner of a merchant that has had nobody yet: replaces that of an open invitation. Throws `not_found`;
   * `conflict` once somebody works for the merchant, or if somebody else is invited.
   */
  async inviteOwner(code: string, by: StaffActor, email: string): Promise<OwnerLink> {
    const { id, open } = await this.#read(code, async (tx, merchant) => {
      if (await hasPeople(tx)) throw new Refusal('conflict');
      return { id: merchant.id, open: await listOpenInvitations(tx) };
    });
    const [own] = open;
    if (own && own.email !== email) throw new Refusal('conflict');
    return this.#options.inviteOwner(by, id, own ? { renewId: own.id } : { email });
  }

  /**
   * Unlocks the account of somebody who works for a merchant: a few times an hour, because each time somebody can guess again. Throws
   * `not_found`, `too_many_attempts`.
   */
  async unlock(code: string, userId: bigint, by: StaffActor): Promise<void> {
    const { users, email } = await this.#support(code, userId, by);
    await countOrRefuse(this.#options.database, staffTries.unlock(userId), unlocks, 'staff_throttle');
    await users.unlock(email);
  }

  /** Ends every session of somebody who works for a merchant. Throws `not_found`. */
  async signOut(code: string, userId: bigint, by: StaffActor): Promise<void> {
    const { users, email } = await this.#support(code, userId, by);
    await users.signOut(email);
  }

  async #support(code: string, userId: bigint, by: StaffActor) {
    const { id, email } = await this.#read(code, async (tx, merchant) => ({
      id: merchant.id,
      email: await findEmail(tx, userId),
    }));
    if (email === undefined) throw new Refusal('not_found');
    return { users: new UserService(this.#options.database, by, id), email };
  }

  #read<T>(code: string, work: (tx: MerchantTx, merchant: ListedMerchant) => Promise<T>): Promise<T> {
    return this.#within(code, work, { snapshot: true });
  }

  async #within<T>(
    code: string,
    work: (tx: MerchantTx, merchant: ListedMerchant) => Promise<T>,
    options: { snapshot?: boolean } = {},
  ): Promise<T> {
    const { database } = this.#options;
    const merchant = await database.asSystem((tx) => findListedMerchant(tx, code));
    return database.asMerchant(merchant.id, (tx) => work(tx, merchant), options);
  }
}

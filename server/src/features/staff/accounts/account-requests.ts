import type { PasswordPart } from '@hengfu/contract/staff/accounts';
import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type { RequestFact } from '@hengfu/contract/staff/requests';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import { nameOfActor, type ServiceActor } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { lockAccounts } from '#domain/staff-accounts-lock.sql.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import { type ListedStaff, listAccounts, listUsableAdmins } from '../staff.sql.ts';
import { addAccount, changeRoles, resetAccess, type StaffToCreate, switchAccess } from '../staff-accounts.ts';
import { saveHandover, takeParts } from './handovers.sql.ts';

/** A change of an account that somebody asks for. */
export type AccountChange =
  | ({ what: 'create' } & StaffToCreate)
  | { what: 'roles'; email: string; roles: readonly StaffRole[] }
  | { what: 'disable' | 'enable' | 'reset'; email: string };

/** The change of a request, with who asked for it, and the roles that both people have read. */
type AskedChange = AccountChange & { askedBy: string; rolesBefore: readonly StaffRole[] | null };

type Options = { breakGlass?: string | undefined };

export interface AccountRequestOptions {
  /** Works as `hengfu_staff`. */
  database: Database;
  requests: StaffRequests;
  secrets: Secrets;
  /** Whether an account without a second factor can do nothing. */
  isFactorRequired: boolean;
}

/** Changes accounts of our staff: two people agree, and the account concerned is neither one's. */
export class AccountRequests {
  readonly #database: Database;
  readonly #requests: StaffRequests;
  readonly #secrets: Secrets;
  readonly #isFactorRequired: boolean;

  constructor({ database, requests, secrets, isFactorRequired }: AccountRequestOptions) {
    this.#database = database;
    this.#requests = requests;
    this.#secrets = secrets;
    this.#isFactorRequired = isFactorRequired;
  }

  /**
   * Asks for a change. Returns the request's ID; undefined if an operator's change was made at once. Throws `not_found`,
   * `forbidden` for the own account, `validation_failed` if the email is in use, `request_waiting`, and `account_active`,
   * `account_disabled` or `roles_unchanged` if there is nothing to change.
   */
  async ask(
    change: AccountChange,
    by: ServiceActor,
    reason: string,
    options: Options = {},
  ): Promise<bigint | undefined> {
    const [account] = await this.#database.asSystem((tx) => listAccounts(tx, change.email));
    assertPossible(change, account);
    assertOthers(change.email, by);
    const asked: AskedChange = { ...change, askedBy: nameOfActor(by), rolesBefore: account?.roles ?? null };
    const question = {
      kind: 'staffAccount',
      merchantId: null,
      subject: change.email,
      change: asked,
      facts: factsOf(change, account),
      reason,
    } as const;
    return this.#requests.ask(question, by, options);
  }

  /** Returns the email of an account. Throws `not_found`. */
  async emailOf(id: bigint): Promise<string> {
    const account = (await this.#database.asSystem((tx) => listAccounts(tx))).find((each) => each.id === id);
    if (!account) throw new Refusal('not_found');
    return account.email;
  }

  /**
   * Returns the parts of an account's new password that somebody has to hand over, each once. Audits it. Throws `not_found` if there is none.
   */
  takeParts(email: string, by: ServiceActor): Promise<{ part: PasswordPart; text: string }[]> {
    return this.#database.asSystem(async (tx) => {
      const [account] = await listAccounts(tx, email);
      const parts = account ? await takeParts(tx, account.id, nameOfActor(by)) : [];
      if (!account || parts.length === 0) throw new Refusal('not_found');
      await writeAudit(tx, {
        merchantId: null,
        ...fieldsOfActor(by),
        action: 'staff.hand_over',
        subject: `staff:${account.id}`,
        after: { parts: parts.map(({ part }) => part) },
      });
      return parts.map(({ part, sealed }) => ({ part, text: this.#secrets.decrypt(sealed) }));
    });
  }

  /** Makes a change once the second person agrees, as `hengfu_accounts`. */
  readonly effects: StaffEffects = {
    database: 'accounts',
    perform: async (tx, { change }, by) => {
      const asked = change as AskedChange;
      await lockAccounts(tx, { isChange: true });
      const [account] = await listAccounts(tx, asked.email);
      assertPossible(asked, account);
      assertOthers(asked.email, by);
      if (account && String(account.roles) !== String(asked.rolesBefore))
        throw new Refusal('approval_changed');
      if (asked.what === 'roles' || asked.what === 'disable')
        await assertAdminLeft(tx, asked, this.#isFactorRequired);
      if (asked.what === 'disable' || asked.what === 'enable')
        await switchAccess(tx, asked.email, asked.what === 'disable', by);
      if (asked.what === 'roles') await changeRoles(tx, asked.email, asked.roles, by);
      if (asked.what === 'create') await this.#keep(tx, await addAccount(tx, asked, by), asked, by);
      if (asked.what === 'reset') await this.#keep(tx, await resetAccess(tx, asked.email, by), asked, by);
    },
  };

  /** Keeps the two parts of a new password for the two people: neither one alone can sign in with it. */
  async #keep(
    tx: Tx,
    { id, password }: { id: bigint; password: string },
    { askedBy }: AskedChange,
    by: ServiceActor,
  ): Promise<void> {
    const groups = password.split('-');
    const half = groups.length / 2;
    const seal = (part: readonly string[]) => this.#secrets.encrypt(part.join('-'));
    await saveHandover(tx, id, [
      { part: 'first', reader: askedBy, sealed: seal(groups.slice(0, half)) },
      { part: 'second', reader: nameOfActor(by), sealed: seal(groups.slice(half)) },
    ]);
  }
}

/** Refuses a change that has nothing to change. */
function assertPossible(change: AccountChange, account: ListedStaff | undefined): void {
  if (change.what === 'create') {
    if (account) throw fieldRefusal('email', 'validation.emailTaken');
    return;
  }
  if (!account) throw new Refusal('not_found');
  const isDisabled = account.disabledAt !== null;
  if (change.what === 'disable' && isDisabled) throw new Refusal('account_disabled');
  if (change.what === 'enable' && !isDisabled) throw new Refusal('account_active');
  if (change.what === 'roles' && String(change.roles) === String(account.roles))
    throw new Refusal('roles_unchanged');
}

/** Refuses somebody who would change their own account. */
function assertOthers(email: string, by: ServiceActor): void {
  if (typeof by !== 'string' && by.member.email === email) throw new Refusal('forbidden');
}

/** Refuses to take away the last administrator who can do something: nobody could change accounts any more. */
async function assertAdminLeft(
  tx: Tx,
  change: Extract<AccountChange, { what: 'roles' | 'disable' | 'enable' | 'reset' }>,
  isFactorRequired: boolean,
): Promise<void> {
  if (change.what === 'roles' && change.roles.includes('ADMIN')) return;
  const usable = await listUsableAdmins(tx, { isFactorRequired });
  // An account that can do nothing may go.
  if (!usable.includes(change.email)) return;
  if (usable.length === 1) throw new Refusal('last_admin');
}

/** Everything that the second person has to read. */
function factsOf(change: AccountChange, account: ListedStaff | undefined): RequestFact[] {
  const rolesText = (roles: readonly StaffRole[] | undefined) => roles?.join(', ') ?? null;
  if (change.what === 'create')
    return [
      { name: 'accountChange', before: null, after: change.what },
      { name: 'name', before: null, after: change.name },
      { name: 'roles', before: null, after: rolesText(change.roles) },
    ];
  return [
    { name: 'accountChange', before: null, after: change.what },
    { name: 'name', before: account?.name ?? null, after: account?.name ?? null },
    {
      name: 'roles',
      before: rolesText(account?.roles),
      after: rolesText(change.what === 'roles' ? change.roles : account?.roles),
    },
  ];
}

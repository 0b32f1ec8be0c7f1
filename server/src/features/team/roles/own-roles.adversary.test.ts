import {
  type Perm,
  paymentPerms,
  perms,
  type RoleCode,
  roles as sharedRoles,
  withNeeded,
} from '@hengfu/contract/permissions';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct, testPassword } from '../../../testing/test-product.ts';
import type { Visitor } from '../../../testing/visitor.ts';
import { operatorActor } from '../team.actor.ts';

/** One attempt by somebody whom the adversary controls; the numbers choose actor, target and roles. */
interface Attempt {
  kind: 'make' | 'edit' | 'retire' | 'give' | 'invite' | 'renew' | 'accept' | 'suspend' | 'reactivate';
  actor: number;
  target: number;
  /** Beyond the shared roles, they choose among the merchant's own. */
  roles: number[];
  perms: Perm[];
}

const kinds = [
  'make',
  'edit',
  'edit',
  'edit',
  'give',
  'invite',
  'invite',
  'accept',
  'accept',
  'renew',
] as const;
const attempt: fc.Arbitrary<Attempt> = fc.record({
  kind: fc.constantFrom<Attempt['kind']>(...kinds, 'retire', 'suspend', 'reactivate'),
  actor: fc.nat(3),
  target: fc.oneof(fc.nat(2), fc.nat(8)),
  // The first ones are the merchant's own: they are the way that has to be tried most.
  roles: fc.uniqueArray(fc.oneof(fc.nat(2), fc.nat(14)), { minLength: 1, maxLength: 2 }),
  perms: fc.uniqueArray(fc.oneof(fc.constantFrom(...paymentPerms), fc.constantFrom(...perms)), {
    minLength: 1,
    maxLength: 4,
  }),
});

const path = '/api/merchant/team';
const password = 'Quiet-river-2026';
let product: TestProduct;
let count = 0;
/** People who joined by an adversary's invitation, and roles that the adversary has made or changed. */
let joined = 0;
let made = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

/** Controls one account of a merchant, and everybody whom that account can invite. */
class Adversary {
  readonly actors: Visitor[];
  readonly #merchant: TestMerchant;
  readonly #tokens: string[] = [];
  #names = 0;

  constructor(merchant: TestMerchant, first: Visitor) {
    this.#merchant = merchant;
    this.actors = [first];
  }

  /** Makes a role, and adds a guest with the role at a place of the list, so that every run has both. */
  async open(place: number): Promise<void> {
    const steps: Attempt['kind'][] = ['make', 'invite', 'accept'];
    for (const kind of steps)
      await this.try({ kind, actor: 0, target: 0, roles: [place], perms: ['collections.read'] });
  }

  async try({ kind, actor, target, roles, perms: granted }: Attempt): Promise<void> {
    const visitor = this.actors[actor % this.actors.length] as Visitor;
    if (kind === 'accept') return this.#accept(target);
    const { members = [], invitations = [], roles: own = [] } = (await visitor.get(path)).json.data ?? {};
    const all: RoleCode[] = [...own.map(({ code }: { code: RoleCode }) => code), ...sharedRoles];
    const given = roles.map((index) => all[index % all.length]);
    const role = own[target % (own.length || 1)];
    const name = `Role ${this.#names++}`;
    if (kind === 'make') this.#note(await visitor.post(`${path}/roles`, { name, perms: granted }));
    if (kind === 'edit') {
      const body = { name, perms: granted, version: role?.version ?? 1 };
      this.#note(await visitor.send('PUT', `${path}/roles/${role?.code ?? 'none'}`, body));
    }
    if (kind === 'retire') await visitor.send('DELETE', `${path}/roles/${role?.code ?? 'none'}`, {});
    const member = `${path}/members/${members[target % (members.length || 1)]?.id ?? 1}`;
    if (kind === 'give') await visitor.send('PUT', `${member}/roles`, { roles: given });
    if (kind === 'suspend') await visitor.post(`${member}/suspension`, {});
    if (kind === 'reactivate') await visitor.send('DELETE', `${member}/suspension`, {});
    if (kind === 'invite') {
      const email = `guest${this.#names}@${this.#merchant.code}.test`;
      this.#keep(await visitor.post(`${path}/invitations`, { email, roles: given }));
    }
    const invitation = invitations[target % (invitations.length || 1)]?.id ?? 1;
    if (kind === 'renew') this.#keep(await visitor.post(`${path}/invitations/${invitation}/link`, {}));
  }

  #note({ status }: { status: number }): void {
    if (status < 300) made++;
  }

  #keep({ json }: { json: { data?: { url: string } } }): void {
    if (json.data) this.#tokens.push(json.data.url.slice(json.data.url.lastIndexOf('/') + 1));
  }

  /** Joins by a link that the adversary has, old or new, and acts as that person from now on. */
  async #accept(target: number): Promise<void> {
    const token = this.#tokens[target % (this.#tokens.length || 1)];
    if (token === undefined) return;
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const account = { name: 'Guest', password, password_confirmation: password };
    const { json } = await visitor.post(`/api/invitations/${token}/acceptance`, account);
    if (json.signed_in !== true) return;
    await visitor.post('/api/user/confirm-password', { password });
    this.actors.push(visitor);
    joined++;
  }
}

async function confirmed(visitor: Visitor): Promise<Visitor> {
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  return visitor;
}

const permsOf = async (visitor: Visitor): Promise<Perm[]> =>
  (await visitor.get('/api/merchant/user')).json.data?.perms ?? [];

const own = (merchant: TestMerchant, name: string, granted: readonly Perm[]) =>
  product.services.ownRoles.create(operatorActor('operator:test', merchant.id), {
    name,
    description: '',
    perms: withNeeded(granted),
  });

it('an adversary who manages the team ends up with no permission that was not held at the beginning', async () => {
  const held = fc.uniqueArray(fc.constantFrom(...perms), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(held, fc.array(attempt, { minLength: 25, maxLength: 40 }), async (few, attempts) => {
      const merchant = await product.merchant(`limited${count++}`);
      const first = await own(merchant, 'First', ['team.manage', 'collections.read', ...few]);
      // Roles and people that hold more are there to be used.
      await own(merchant, 'Strong', ['payouts.create', 'audit.read']);
      await own(merchant, 'Weak', ['collections.read']);
      await product.person(merchant, 'FINANCE', 'finance');
      const strong = await own(merchant, 'Deputy', perms);
      await product.person(merchant, strong.code, 'deputy');
      const adversary = new Adversary(
        merchant,
        await confirmed(await product.person(merchant, first.code, 'first')),
      );
      await adversary.open(2);
      for (const each of attempts) await adversary.try(each);
      for (const visitor of adversary.actors)
        expect(first.perms).toEqual(expect.arrayContaining(await permsOf(visitor)));
    }),
    { numRuns: 12 },
  );
  expect(joined).toBeGreaterThan(0);
  expect(made).toBeGreaterThan(0);
}, 180_000);

it('with approval rules, no accomplice of an adversary gains a payment right that nobody has approved', async () => {
  joined = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 25, maxLength: 40 }), async (attempts) => {
      const merchant = await product.merchant(`ruled${count++}`);
      await product.person(merchant, 'APPROVER', 'approver');
      const roles = ['APPROVER' as const];
      const rule = { kind: 'payout' as const, amountMinor: '0', approvers: 1, roles, people: [] };
      await product.services.approvalRules.setFor(merchant.id, 'operator:test', { rules: [rule], days: 7 });
      const clerk = await own(merchant, 'Clerk', ['collections.read']);
      const admin = await confirmed(await product.person(merchant, 'MERCHANT_ADMIN', 'first'));
      const adversary = new Adversary(merchant, admin);
      // An accomplice, who holds a role that can be changed.
      adversary.actors.push(await confirmed(await product.person(merchant, clerk.code, 'accomplice')));
      await adversary.open(0);
      for (const each of attempts) await adversary.try(each);
      const [, ...others] = adversary.actors;
      for (const other of others)
        expect((await permsOf(other)).filter((perm) => paymentPerms.includes(perm))).toEqual([]);
    }),
    { numRuns: 12 },
  );
  expect(joined).toBeGreaterThan(0);
}, 180_000);

import { type Role, roles } from '@hengfu/contract/permissions';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

/** One attempt by somebody whom the adversary controls; the numbers choose actor, target and roles. */
interface Attempt {
  kind: 'invite' | 'accept' | 'renew' | 'revoke' | 'roles' | 'suspend' | 'reactivate' | 'remove';
  actor: number;
  target: number;
  roles: Role[];
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  kind: fc.constantFrom(
    ...([
      'invite',
      'accept',
      'accept',
      'renew',
      'revoke',
      'roles',
      'suspend',
      'reactivate',
      'remove',
    ] as const),
  ),
  actor: fc.nat(8),
  target: fc.nat(8),
  roles: fc.uniqueArray(fc.constantFrom(...roles), { minLength: 1, maxLength: 3 }),
});

const path = '/api/merchant/team';
const password = 'Quiet-river-2026';
let product: TestProduct;
let count = 0;
/** People who joined by an adversary's invitation. */
let joined = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

/** Controls one account of a merchant, and everybody whom that account can invite. */
class Adversary {
  readonly #merchant: TestMerchant;
  readonly #actors: Visitor[];
  readonly #tokens: string[] = [];
  #guests = 0;

  constructor(merchant: TestMerchant, first: Visitor) {
    this.#merchant = merchant;
    this.#actors = [first];
  }

  async try({ kind, actor, target, roles: given }: Attempt): Promise<void> {
    const visitor = this.#actors[actor % this.#actors.length] as Visitor;
    if (kind === 'accept') return this.#accept(target);
    if (kind === 'invite') {
      const email = `guest${this.#guests++}@${this.#merchant.code}.test`;
      return this.#keep(await visitor.post(`${path}/invitations`, { email, roles: given }));
    }
    const { members = [], invitations = [] } = (await visitor.get(path)).json.data ?? {};
    const member = `${path}/members/${members[target % (members.length || 1)]?.id ?? 1}`;
    const invitation = `${path}/invitations/${invitations[target % (invitations.length || 1)]?.id ?? 1}`;
    if (kind === 'renew') return this.#keep(await visitor.post(`${invitation}/link`, {}));
    if (kind === 'revoke') await visitor.send('DELETE', invitation, {});
    if (kind === 'roles') await visitor.send('PUT', `${member}/roles`, { roles: given });
    if (kind === 'suspend') await visitor.post(`${member}/suspension`, {});
    if (kind === 'reactivate') await visitor.send('DELETE', `${member}/suspension`, {});
    if (kind === 'remove') await visitor.send('DELETE', member, {});
  }

  #keep({ json }: { json: { data?: { url: string } } }): void {
    if (json.data) this.#tokens.push(json.data.url.slice(json.data.url.lastIndexOf('/') + 1));
  }

  /** Joins by a link that the adversary has, old or new, and acts as that person from now on. */
  async #accept(target: number): Promise<void> {
    if (this.#tokens.length === 0) return;
    const token = this.#tokens[target % this.#tokens.length];
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const joining = { name: 'Guest', password, password_confirmation: password };
    const { json } = await visitor.post(`/api/invitations/${token}/acceptance`, joining);
    if (json.signed_in !== true) return;
    await visitor.post('/api/user/confirm-password', { password });
    this.#actors.push(visitor);
    joined++;
  }
}

async function confirmed(visitor: Visitor): Promise<Visitor> {
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  return visitor;
}

it.each(roles.filter((role) => role !== 'ROOT'))(
  'an adversary who begins as %s never becomes an owner, nor takes the owner’s place',
  async (role) => {
    const runs = role === 'MERCHANT_ADMIN' ? 12 : 2;
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { minLength: 20, maxLength: 30 }), async (attempts) => {
        const merchant = await product.merchant(`adversary${count++}`);
        const owner = await confirmed(await product.person(merchant, 'ROOT', 'owner'));
        const adversary = new Adversary(
          merchant,
          await confirmed(await product.person(merchant, role, 'first')),
        );
        const { members: before } = (await owner.get(path)).json.data;
        for (const each of attempts) await adversary.try(each);
        const { members, invitations } = (await owner.get(path)).json.data;
        const owners = members.filter((member: { roles: Role[] }) => member.roles.includes('ROOT'));
        expect(owners).toMatchObject([
          { email: `owner@${merchant.code}.test`, state: 'active', isYou: true },
        ]);
        expect(invitations.some((open: { roles: Role[] }) => open.roles.includes('ROOT'))).toBe(false);
        // Without the right to manage the team, nothing has changed at all.
        if (role !== 'MERCHANT_ADMIN')
          expect({ members, invitations }).toEqual({ members: before, invitations: [] });
      }),
      { numRuns: runs },
    );
    if (role === 'MERCHANT_ADMIN') expect(joined).toBeGreaterThan(0);
  },
  120_000,
);

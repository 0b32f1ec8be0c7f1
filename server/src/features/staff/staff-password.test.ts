import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import type { Visitor } from '../../testing/visitor.ts';

const path = '/api/staff/user/password';
const fresh = 'three purple tram stops';

let product: TestProduct;
let staff: TestStaff;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
});
beforeEach(() => staff.runtime.database.asSystem((tx) => sql`delete from staff_throttle`.execute(tx.query)));
afterAll(async () => {
  await staff.close();
  await product.close();
});

/** Adds a person who is signed in on some devices; returns the password and the devices. */
async function person(name: string, devices = 1): Promise<{ password: string; signedIn: Visitor[] }> {
  const password = await staff.add(name, 'SUPPORT');
  const signedIn = Array.from({ length: devices }, () => staff.visitor());
  for (const visitor of signedIn) expect((await staff.signIn(visitor, name, password)).status).toBe(200);
  return { password, signedIn };
}

const change = (visitor: Visitor | undefined, from: string, to: string, again = to) =>
  visitor?.send('PUT', path, { current_password: from, password: to, password_confirmation: again });
const isIn = async (visitor: Visitor | undefined) => (await visitor?.get('/api/staff/user'))?.status === 200;

describe('the own password of a member of our staff', () => {
  it('is replaced; this device stays signed in under a new id, all others are signed out', async () => {
    const { password, signedIn } = await person('changes', 3);
    const [here, ...others] = signedIn;
    const stolen = staff.visitor();
    for (const [name, value] of here?.cookies ?? []) stolen.cookies.set(name, value);
    expect(await isIn(stolen)).toBe(true);
    expect((await change(here, password, fresh))?.status).toBe(204);
    expect(await Promise.all([here, ...others, stolen].map(isIn))).toEqual([true, false, false, false]);
    expect((await staff.signIn(staff.visitor(), 'changes', password)).status).toBe(422);
    expect((await staff.signIn(staff.visitor(), 'changes', fresh)).status).toBe(200);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<object>`select actor = subject as "isOwn", actor ~ '^staff:[0-9]+$' as "isStaff", before, after
        from audit where action = 'staff.password'`.execute(tx.query),
    );
    // Neither password is recorded.
    expect(rows).toEqual([{ isOwn: true, isStaff: true, before: null, after: null }]);
  });

  it('needs the current one, and must be new, long, uncommon, and repeated', async () => {
    const { password, signedIn } = await person('careless');
    const [here] = signedIn;
    const faults = async (from: string, to: string, again = to) => {
      const reply = await change(here, from, to, again);
      return [reply?.status, ...Object.keys(reply?.json.errors ?? {})];
    };
    expect(await faults('not the password', fresh)).toEqual([422, 'current_password']);
    expect(await faults(password, password)).toEqual([422, 'password']);
    expect(await faults(password, 'short')).toEqual([422, 'password']);
    expect(await faults(password, 'password1234')).toEqual([422, 'password']);
    expect(await faults(password, fresh, 'another text')).toEqual([422, 'password']);
    expect((await staff.signIn(staff.visitor(), 'careless', password)).status).toBe(200);
  });

  it('is guessed five times a minute at most, however many guesses arrive at once', async () => {
    const { password, signedIn } = await person('guessed');
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => change(signedIn[0], `guess ${nth}`, fresh)),
    );
    expect(replies.filter((reply) => reply?.status === 422)).toHaveLength(5);
    expect(replies.filter((reply) => reply?.status === 429)).toHaveLength(15);
    expect((await change(signedIn[0], password, fresh))?.status).toBe(429);
  });

  it('is replaced once by several at once', async () => {
    const { password, signedIn } = await person('twice', 2);
    const replies = await Promise.all(
      signedIn.map((visitor, nth) => change(visitor, password, `${fresh} ${nth}`)),
    );
    expect(replies.filter((reply) => reply?.status === 204)).toHaveLength(1);
  });

  it('all other devices can be signed out without a new one', async () => {
    const { signedIn } = await person('forgetful', 3);
    expect((await signedIn[0]?.send('DELETE', '/api/staff/sessions'))?.status).toBe(204);
    expect(await Promise.all(signedIn.map(isIn))).toEqual([true, false, false]);
  });
});

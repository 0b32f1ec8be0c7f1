import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { Colleague, payoutRule } from '../testing/approving-office.ts';
import { TestProduct } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';
import type { Answer, Visitor } from '../testing/visitor.ts';

/** The people: the one who asks may decide such requests of others; two more may, and one may not. */
const people = ['asker', 'first', 'second', 'outsider'] as const;
type Person = (typeof people)[number];
type Verb = 'approve' | 'refuse' | 'withdraw';

/** Requests of one kind, however they are stored and decided. */
interface House {
  /** The approvals that a request needs. */
  needed: number;
  ask(): Promise<string>;
  act(verb: Verb, person: Person, id: string): Promise<Answer>;
  /** Makes the time of a request pass. */
  passTime(id: string): Promise<void>;
  /** Runs the job that ends requests whose time is over. */
  expire(): Promise<unknown>;
  state(id: string): Promise<string>;
  /** How often what the request asks for was done. */
  effects(id: string): Promise<number>;
}

let product: TestProduct;
let staff: TestStaff;
const houses = new Map<string, House>();

const rowsOf = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await product.services.database.asSystem((tx) => query.execute(tx.query))).rows;

/** Requests of a merchant: payouts that a number of approvers have to approve. */
async function openMerchant(code: string, needed: number): Promise<House> {
  const merchant = await product.merchant(code);
  await product.fund(merchant, '100000.00');
  const join = (role: 'ROOT' | 'APPROVER' | 'FINANCE', name: Person) =>
    Colleague.join(product, merchant, { role, name });
  const members: Record<Person, Colleague> = {
    asker: await join('ROOT', 'asker'),
    first: await join('APPROVER', 'first'),
    second: await join('APPROVER', 'second'),
    outsider: await join('FINANCE', 'outsider'),
  };
  await members.asker.setRules([payoutRule('1.00', needed, { roles: ['APPROVER', 'ROOT'] })]);
  let count = 0;
  const mine = sql`merchant_id = ${merchant.id}`;
  return {
    needed,
    ask: async () => {
      const { json } = await members.asker.pay(`${20 + ++count}.00`, '6222021234567890128', {
        confirmSimilar: true,
      });
      return members.asker.requestOf(json.data.trade_no);
    },
    act: (verb, person, id) => members[person][verb](id),
    passTime: async (id) => {
      await rowsOf(
        sql`update approval_request set expires_at = now() - interval '1 millisecond' where ${mine} and request_no = ${id}`,
      );
    },
    expire: () => product.services.approvals.expire(),
    state: async (id) => {
      const found = await rowsOf(
        sql<{ state: string }>`select state from approval_request where ${mine} and request_no = ${id}`,
      );
      return found[0]?.state ?? 'none';
    },
    effects: async (id) => {
      const found = await rowsOf(sql`select from audit where ${mine} and action = 'approval.approve'
        and after ->> 'requestNo' = ${id} and after -> 'isDone' = 'true'`);
      const approved =
        await rowsOf(sql`select from approval_request r join payout p on p.merchant_id = r.merchant_id
        and p.trade_no = r.subject_no and p.approval_state = 'approved' where r.${mine} and r.request_no = ${id}`);
      expect(approved).toHaveLength(found.length);
      return found.length;
    },
  };
}

/** Requests of our staff: exchange rates. */
async function openBackOffice(): Promise<House> {
  const members: Record<Person, Visitor> = {
    asker: await staff.member('asker', 'ADMIN'),
    first: await staff.member('first', 'FINANCE'),
    second: await staff.member('second', 'ADMIN'),
    outsider: await staff.member('outsider', 'SUPPORT'),
  };
  let count = 0;
  const rates = new Map<string, string>();
  const bodies = { approve: {}, refuse: { reason: 'no' }, withdraw: undefined };
  return {
    needed: 1,
    ask: async () => {
      const rate = `7.${1000 + ++count}`;
      const { json } = await members.asker.post('/api/staff/rates', { currency: 'CNY', rate, reason: 'x' });
      rates.set(json.data.request, rate);
      return json.data.request;
    },
    act: (verb, person, id) => members[person].post(`/api/staff/requests/${id}/${verb}`, bodies[verb]),
    passTime: async (id) => {
      const query = `update staff_request set expires_at = now() - interval '1 millisecond' where id = $1 and state = 'waiting'`;
      await asOwner(product.ownerUrl, (client) => client.query(query, [id]));
    },
    expire: async () => {
      for (const { sweep } of staff.runtime.modules) await sweep?.();
    },
    state: async (id) => (await members.second.get(`/api/staff/requests/${id}`)).json.data.state,
    effects: async (id) =>
      (await rowsOf(sql`select from audit where action = 'rate.set' and after ->> 'rate' = ${rates.get(id)}`))
        .length,
  };
}

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  houses.set('staff', await openBackOffice());
  houses.set('one approver', await openMerchant('one', 1));
  houses.set('two approvers', await openMerchant('two', 2));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

interface Attempt {
  what: Verb | 'passTime' | 'expire';
  person: Person;
  /** Sent beside the one before. */
  isBeside: boolean;
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  what: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<Verb>('approve', 'refuse', 'withdraw') },
    { weight: 1, arbitrary: fc.constantFrom('passTime' as const, 'expire' as const) },
  ),
  person: fc.constantFrom(...people),
  isBeside: fc.boolean(),
});

interface Outcome {
  verb: Verb;
  person: Person;
  isDone: boolean;
  code: string | undefined;
  /** Sent once the time had passed. */
  isLate: boolean;
}

/** Makes the attempts on one request; returns how each of them ended. */
async function play(house: House, id: string, attempts: readonly Attempt[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let isLate = false;
  let open: Promise<unknown>[] = [];
  for (const { what, person, isBeside } of attempts) {
    if (!isBeside || what === 'passTime') await Promise.all(open.splice(0));
    if (what === 'passTime') {
      await house.passTime(id);
      isLate = true;
    } else if (what === 'expire') open.push(house.expire());
    else {
      const wasLate = isLate;
      const answer = house
        .act(what, person, id)
        .then(({ status, json }) =>
          outcomes.push({ verb: what, person, isDone: status < 300, code: json?.code, isLate: wasLate }),
        );
      open = [...open, answer];
    }
  }
  await Promise.all(open);
  return outcomes;
}

const stateOf = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const;

describe.each(['staff', 'one approver', 'two approvers'])('a request (%s)', (name) => {
  it('ends once, by somebody who may end it, in time, whatever several people do at the same moment', async () => {
    const house = houses.get(name) as House;
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { minLength: 2, maxLength: 9 }), async (attempts) => {
        const id = await house.ask();
        const outcomes = await play(house, id, attempts);
        const state = await house.state(id);
        ends.set(state, (ends.get(state) ?? 0) + 1);
        const done = outcomes.filter(({ isDone }) => isDone);
        // Nobody decides their own request, or without being entitled to; nobody else withdraws it; nothing happens too late.
        for (const { verb, person, isLate } of done) {
          if (verb === 'withdraw') expect(person).toBe('asker');
          else expect(['first', 'second']).toContain(person);
          expect(isLate).toBe(false);
        }
        // One end alone, which is that of the state; approvals count once for each person.
        const approvals = done.filter(({ verb }) => verb === 'approve');
        const others = done.filter(({ verb }) => verb !== 'approve');
        expect(new Set(approvals.map(({ person }) => person)).size).toBe(approvals.length);
        expect(approvals.length).toBeLessThanOrEqual(house.needed);
        const ended = [
          ...(approvals.length === house.needed ? ['approved'] : []),
          ...others.map(({ verb }) => stateOf[verb]),
        ];
        if (state === 'expired' || state === 'waiting') expect(ended).toEqual([]);
        else expect(ended).toEqual([state]);
        expect(await house.effects(id)).toBe(state === 'approved' ? 1 : 0);
        // Everybody else is told why: it has ended, it is their own, it is not theirs to decide, or they have approved it already.
        const told = new Set(outcomes.filter(({ isDone }) => !isDone).map(({ code }) => code));
        for (const code of told)
          expect([
            'invalid_transition',
            'own_request',
            'forbidden',
            'not_approver',
            'already_decided',
            // The same person has used the proof for another decision at the same moment.
            'validation_failed',
          ]).toContain(code);
        // A later attempt learns that it has ended.
        await house.passTime(id);
        await house.expire();
        const late = await house.act('approve', 'first', id);
        expect([late.status, late.json.code]).toEqual([409, 'invalid_transition']);
        expect(await house.state(id)).toBe(state === 'waiting' ? 'expired' : state);
      }),
      { numRuns: 20, endOnFailure: true, seed: 20_261_126 },
    );
    // The attempts do get something done.
    expect([...ends.keys()]).toEqual(expect.arrayContaining(['refused', 'withdrawn']));
  }, 240_000);
});

it.each(['staff', 'one approver'])(
  'of two who decide at once, one wins, and the other is told (%s)',
  async (name) => {
    const house = houses.get(name) as House;
    const id = await house.ask();
    const answers = await Promise.all([
      house.act('approve', 'first', id),
      house.act('refuse', 'second', id),
      house.act('approve', 'second', id),
    ]);
    expect(answers.map(({ status }) => status < 300).filter(Boolean)).toHaveLength(1);
    const lost = answers.filter(({ status }) => status >= 300);
    expect(lost.map(({ json }) => json.code)).toEqual(['invalid_transition', 'invalid_transition']);
  },
);

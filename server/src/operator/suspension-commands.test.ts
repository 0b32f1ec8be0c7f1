import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { EventStream } from '../testing/event-stream.ts';
import { operatorMain } from '../testing/product-process.ts';
import { StopWorld } from '../testing/stop-world.ts';
import { testKey } from '../testing/test-database.ts';
import { TestProduct, testPassword } from '../testing/test-product.ts';

const run = promisify(execFile);

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
});
afterAll(() => product.close());

/** Runs the operator's program as a process beside the product. */
async function operator(...args: string[]): Promise<{ code: number; out: string; stderr: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: product.ownerUrl,
    DATA_DIR: product.dataDirectory,
    APP_KEY: testKey,
    DEMO: '1',
  };
  try {
    const { stdout, stderr } = await run(process.execPath, [operatorMain, ...args], { env });
    return { code: 0, out: stdout.trim(), stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout.trim(), stderr: stderr.trim() };
  }
}

const facts = async (...args: string[]) => JSON.parse((await operator(...args, '--json')).out);
const why = ['--reason', 'owner called'] as const;
const isSignedIn = async ({ visitor }: StopWorld) => (await visitor.get('/api/merchant/user')).status === 200;

describe('the operator', () => {
  it('suspends a user in another process, and reactivates the user', async () => {
    const world = await StopWorld.make(product);
    const stream = await EventStream.open(product.url, world.visitor);
    const email = ['--email', world.email.toUpperCase()] as const;
    expect(await facts('user', 'suspend', ...email, ...why)).toMatchObject({
      isSuspended: true,
      isChanged: true,
    });
    expect(await isSignedIn(world)).toBe(false);
    await stream.ended();
    expect((await world.visitor.signIn(world.email, testPassword)).status).toBe(422);
    const people = await facts('user', 'list', '--merchant', world.merchant.code);
    expect(people).toMatchObject([{ email: world.email, isDisabled: true }]);
    expect(await facts('user', 'suspend', ...email, ...why)).toMatchObject({ isChanged: false });
    const { out } = await operator('user', 'reactivate', ...email, ...why);
    expect(out).toContain('may sign in again');
    expect((await world.visitor.signIn(world.email, testPassword)).status).toBe(200);
  }, 60_000);

  it('suspends a merchant, shows its held payouts, and sends them after the reactivation', async () => {
    const world = await StopWorld.make(product);
    const { code } = world.merchant;
    const tradeNo = await world.payout('25.00');
    const suspended = await facts('merchant', 'suspend', '--merchant', code, ...why);
    expect(suspended).toMatchObject({ isSuspended: true, unsentPayouts: 1, openBatches: 0 });
    expect(await isSignedIn(world)).toBe(false);
    expect((await world.merchant.program.create('now')).json.code).toBe('merchant_suspended');
    expect(await facts('merchant', 'show', '--merchant', code)).toMatchObject([
      { code, state: 'suspended', reason: 'owner called', by: expect.stringMatching(/^operator:/) },
    ]);
    const merchants = await facts('merchant', 'list');
    expect(merchants).toContainEqual(expect.objectContaining({ code, isSuspended: true }));
    const takeUp = await operator('payout', 'take-up', tradeNo);
    expect([takeUp.code, takeUp.stderr]).toEqual([1, expect.stringContaining('merchant reactivate')]);
    await facts('merchant', 'reactivate', '--merchant', code, ...why);
    expect(await facts('merchant', 'show', '--merchant', code)).toMatchObject([
      { state: 'active', since: '', reason: '', unsentPayouts: 1, unsentAmount: '25.00' },
    ]);
    await world.run('payouts.release');
    await world.run('payouts.send', { tradeNo });
    expect(await world.payoutStatus(tradeNo)).not.toBe('pending');
  }, 60_000);

  it('revokes one key, or all keys of a merchant', async () => {
    const world = await StopWorld.make(product);
    const { code, program } = world.merchant;
    expect((await program.create('before')).status).toBe(201);
    const revoked = await facts('key', 'revoke', '--key', program.key.id, ...why);
    expect(revoked).toMatchObject({ revoked: [program.key.id], left: 0 });
    expect((await program.create('after')).json.code).toBe('signature_invalid');
    const { id } = await facts('access-key', 'add', '--merchant', code);
    const keys = await facts('key', 'list', '--merchant', code);
    expect(keys).toMatchObject([
      { key: id, state: 'active' },
      { key: program.key.id, state: 'revoked' },
    ]);
    expect(await facts('key', 'revoke', '--merchant', code, ...why)).toMatchObject({ revoked: [id] });
  }, 60_000);

  it('rejects an unsent payout', async () => {
    const world = await StopWorld.make(product);
    const tradeNo = await world.payout();
    expect(await facts('payout', 'reject', tradeNo, ...why)).toMatchObject({ rejected: [tradeNo], rows: 0 });
    expect(await world.payoutStatus(tradeNo)).toBe('rejected');
  }, 60_000);

  it.each([
    [
      ['user', 'suspend', '--email', 'nobody@acme.test', ...why],
      'No record has that name or number. (not_found)',
    ],
    [
      ['merchant', 'suspend', '--merchant', 'nobody', ...why],
      'No record has that name or number. (not_found)',
    ],
    [['key', 'revoke', '--key', 'ak_nobody', ...why], 'No record has that name or number. (not_found)'],
    [['key', 'revoke', ...why], 'Specify either --key or --merchant.'],
    [['user', 'suspend', '--email', 'a@b.test'], '--reason'],
    [['user', 'suspend', '--email', 'a@b.test', '--reason', 'two\nlines'], 'on one line'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, stderr } = await operator(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  });

  it.each([
    [['merchant', 'suspend'], 'money that arrives is never refused'],
    [['user', 'suspend'], 'to hold those too, suspend the merchant'],
    [['key', 'revoke'], 'could forge one'],
  ])('explains %j in its help', async (command, sentence) => {
    const { out } = await operator(...command, '--help');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(sentence);
  });
});

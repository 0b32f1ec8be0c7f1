import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeAudit } from '#domain/audit.sql.ts';
import { runOperator } from '../testing/operator-run.ts';
import { SealedTrail } from '../testing/sealed-trail.ts';
import { testKey } from '../testing/test-database.ts';

let trail: SealedTrail;

beforeEach(async () => {
  trail = await SealedTrail.start();
  vi.stubEnv('DATABASE_URL', trail.product.ownerUrl);
  vi.stubEnv('APP_KEY', testKey);
  vi.stubEnv('DATA_DIR', trail.product.dataDirectory);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await trail.close();
});

/** Accepts a loss, and leaves a row that is not sealed. */
async function acceptLoss(): Promise<void> {
  await trail.cutOff();
  await runOperator('audit', 'accept', '--reason', 'restored to noon');
  await trail.seal();
  await trail.act();
}

describe('audit verify', () => {
  it('shows accepted losses and unsealed rows beside a good outcome', async () => {
    await acceptLoss();
    const { text, exitCode } = await runOperator('audit', 'verify');
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^The audit trail is what was sealed\.$/m);
    expect(text).toMatch(/^Rows not sealed yet: 1, the oldest for \d s\.$/m);
    expect(text).toMatch(/^Accepted loss: root 3 is gone: restored to noon \(operator:\S+, \S+\)$/m);
  });

  it('shows them beside the faults, too, and names the merchant', async () => {
    await acceptLoss();
    await trail.asThief(`delete from audit where subject = 'u1'`);
    const { text, exitCode } = await runOperator('audit', 'verify');
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^The audit trail is not what was sealed, faults: 1\.$/m);
    expect(text).toMatch(/^sealed: rows of root 1 were removed: 4 of 8 are left/m);
    expect(text).toMatch(/^Rows not sealed yet: 1/m);
    expect(text).toMatch(/^Accepted loss: root 3 is gone: restored to noon/m);
  });

  it('prints the same as JSON', async () => {
    await acceptLoss();
    const facts = {
      unsealedRows: 1,
      roots: 3,
      losses: [{ lost: '3', kept: '2', reason: 'restored to noon' }],
    };
    expect(JSON.parse((await runOperator('audit', 'verify', '--json')).text)).toMatchObject({
      ...facts,
      faults: [],
    });
    await trail.asThief(`delete from audit where subject = 'u1'`);
    const { text, exitCode } = await runOperator('audit', 'verify', '--json');
    expect([exitCode, JSON.parse(text)]).toMatchObject([
      1,
      { ...facts, faults: [{ merchant: 'sealed', fault: expect.stringContaining('were removed') }] },
    ]);
  });

  it('names a file outside that is garbled', async () => {
    await writeFile(await trail.newestFile(), '{');
    const { text, exitCode } = await runOperator('audit', 'verify');
    expect([exitCode, text]).toEqual([1, expect.stringMatching(/^–: root-\S+\.json .* cannot be read/m)]);
  });
});

describe('audit seal', () => {
  it('says that every row is sealed', async () => {
    await trail.act();
    const { text, exitCode } = await runOperator('audit', 'seal');
    expect([exitCode, text]).toEqual([0, 'Every row written before is sealed; roots made: 1.\n']);
  });

  it('says so if a transaction that writes one does not end', async () => {
    const [isWriting, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = trail.product.services.database.asSystem(async (tx) => {
      await writeAudit(tx, { merchantId: null, actor: 'operator:test', action: 'contact.set' });
      isWriting.resolve();
      await isOver.promise;
    });
    await isWriting.promise;
    const { text, exitCode } = await runOperator('audit', 'seal', '--json');
    isOver.resolve();
    await slow;
    expect([exitCode, JSON.parse(text)]).toEqual([
      1,
      { done: expect.stringMatching(/^Not every row is sealed/), roots: 0, isComplete: false },
    ]);
  }, 30_000);
});

import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { recordBackup } from '#db/backup/record.ts';
import { TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';

const path = '/api/staff/service-health';

let product: TestProduct;
let staff: TestStaff;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

it('shows queues, proofs, seals and backups, and what is not known as such', async () => {
  const finance = await staff.member('finance', 'FINANCE');
  const before = (await finance.get(path)).json.data;
  expect(before.queues.map(({ queue }: { queue: string }) => queue)).toEqual([
    'channels',
    'callbacks',
    'batches',
    'exports',
    'own',
  ]);
  expect(before.backups).toMatchObject({ lastBackupAt: null, lastBaseAt: null, waitingSegments: null });

  const merchant = await product.merchant('busy');
  const dueAt = new Date(Date.now() - 90_000);
  const job = { merchant_id: merchant.id, target: '', host: '', task: 'callbacks.deliver', payload: '{}' };
  await product.services.database.asSystem((tx) =>
    tx.query
      .insertInto('merchant_job')
      .values([
        { ...job, line: 'callbacks', due_at: dueAt, last_error: 'refused' },
        { ...job, line: 'callbacks', due_at: new Date(Date.now() + 3_600_000) },
      ])
      .execute(),
  );
  await product.services.proof.prove();
  await product.services.auditSeal.seal();
  const madeAt = new Date('2026-01-31T09:30:00Z');
  await recordBackup(product.ownerUrl, madeAt);
  const { data } = (await finance.get(path)).json;
  const callbacks = data.queues.find(({ queue }: { queue: string }) => queue === 'callbacks');
  expect(callbacks).toMatchObject({ waiting: 1, running: 0, failed: 1 });
  expect(callbacks.oldestSeconds).toBeGreaterThan(89);
  expect(data.proofs[0]).toMatchObject({ violations: 0 });
  expect(data.seal.number).toMatch(/^\d+$/);
  expect(data.seal.sealedAt).not.toBeNull();
  expect(data.backups.lastBackupAt).toBe(madeAt.toISOString());
});

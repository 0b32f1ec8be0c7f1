import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readHold, untilReleased, writeHold } from '#recovery/recovery-hold.ts';
import { TestProduct } from '../testing/test-product.ts';
import { closeWhileHeld, releasePayouts } from './payout-hold.ts';

let product: TestProduct;
let directory: string;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  directory = mkdtempSync(join(tmpdir(), 'hengfu-hold-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await product.close();
});

const openForPayouts = async () =>
  (await product.admin().listChannels()).flatMap(({ code, payoutOpen }) => (payoutOpen ? code : []));

describe('a restored database', () => {
  it('pays nothing out until it is released, and then on the channels that were open', async () => {
    const { services } = product;
    await product.admin().setChannel('CN_BANK', { payout: false });
    const before = await openForPayouts();
    await closeWhileHeld(directory, services);
    expect(await openForPayouts()).toEqual(before);
    const restoredAt = new Date();
    writeHold(directory, { recoveredTo: restoredAt, restoredAt, base: 'base' });
    await closeWhileHeld(directory, services);
    // As after a crash: the second pass must not forget what the first one closed.
    await closeWhileHeld(directory, services);
    expect(await openForPayouts()).toEqual([]);
    expect((await product.admin().listChannels()).every(({ collectionOpen }) => collectionOpen)).toBe(true);
    let isReleased = false;
    const released = untilReleased(directory, AbortSignal.timeout(10_000)).then(() => {
      isReleased = true;
    });
    expect(isReleased).toBe(false);
    expect(await releasePayouts(directory, services, 'operator:test', undefined)).toEqual(before);
    await released;
    expect(await openForPayouts()).toEqual(before);
    expect(readHold(directory)).toBeUndefined();
    expect(readdirSync(directory)).toEqual([expect.stringMatching(/^recovery-\d+T\d+\.json$/)]);
  });
});

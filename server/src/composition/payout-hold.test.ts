import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { amendHold, isHeld, readHold, untilReleased, writeHold } from '#recovery/recovery-hold.ts';
import { SealedTrail } from '../testing/sealed-trail.ts';
import { TestProduct } from '../testing/test-product.ts';
import { closeWhileHeld, releasePayouts } from './payout-hold.ts';

const longerThanPollMs = 1200;

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
    const signal = AbortSignal.timeout(10_000);
    const released = untilReleased(directory, signal).then(() => 'released');
    expect(await Promise.race([released, pause(longerThanPollMs, 'held')])).toBe('held');
    const release = () => releasePayouts(directory, services, 'operator:test', undefined);
    await expect(release()).rejects.toThrow('was not compared');
    const comparison = { at: restoredAt, from: restoredAt, unknown: 0, byHand: 0 };
    amendHold(directory, { comparison: { ...comparison, unknown: 736 } });
    await expect(release()).rejects.toThrow('the comparison lists 736 orders');
    amendHold(directory, { comparison: { ...comparison, byHand: 1 } });
    await expect(release()).rejects.toThrow('1 channels give no list');
    expect(await openForPayouts()).toEqual([]);
    amendHold(directory, { comparison });
    expect(await release()).toEqual({ channels: before, loss: undefined });
    expect(await released).toBe('released');
    expect(signal.aborted).toBe(false);
    // Released while it was compared: the comparison must not hold payouts again.
    expect(amendHold(directory, { comparison })).toBe(false);
    expect(await openForPayouts()).toEqual(before);
    expect(readHold(directory)).toBeUndefined();
    expect(readdirSync(directory)).toEqual([expect.stringMatching(/^recovery-\d+T\d+\.json$/)]);
  });

  it('is released only after the lost end of the audit trail is accepted, and not if too much of it is gone', async () => {
    const trail = await SealedTrail.start();
    const { services } = trail.product;
    const hold = mkdtempSync(join(tmpdir(), 'hengfu-hold-'));
    const release = () => releasePayouts(hold, services, 'operator:test', 'nothing to compare');
    const isOpen = async () =>
      (await trail.product.admin().listChannels()).every(({ payoutOpen }) => payoutOpen);
    const holdAt = async (recoveredTo: Date) => {
      writeHold(hold, { restoredAt: new Date(), base: 'base', ...readHold(hold), recoveredTo });
      await closeWhileHeld(hold, services);
    };
    await trail.cutOff();
    await holdAt(new Date(Date.now() + 20 * 60_000));
    await expect(release()).rejects.toThrow(
      /was restored to .*, but its last root is of .*: later ones may have been removed/,
    );
    expect([await isOpen(), isHeld(hold), (await trail.verify()).losses]).toEqual([false, true, []]);
    await holdAt(new Date());
    const file = await trail.newestFile();
    const content = readFileSync(file, 'utf8');
    writeFileSync(file, '{');
    await expect(release()).rejects.toThrow('cannot be read');
    expect([await isOpen(), isHeld(hold)]).toEqual([false, true]);
    writeFileSync(file, content);
    expect(await release()).toMatchObject({ loss: { lost: '3', kept: '2', by: 'operator:test' } });
    expect([await isOpen(), isHeld(hold)]).toEqual([true, false]);
    expect(await trail.seal()).toBe(1);
    expect(await trail.faults()).toEqual([]);
    rmSync(hold, { recursive: true });
    await trail.close();
  });

  it('is released although its last root is old, once an operator has accepted that', async () => {
    const trail = await SealedTrail.start();
    const hold = mkdtempSync(join(tmpdir(), 'hengfu-hold-'));
    await trail.cutOff();
    writeHold(hold, {
      recoveredTo: new Date(Date.now() + 20 * 60_000),
      restoredAt: new Date(),
      base: 'base',
    });
    await trail.product.services.auditSeal.accept('operator:test', 'nobody worked that night');
    const release = releasePayouts(hold, trail.product.services, 'operator:test', 'nothing to compare');
    expect(await release).toMatchObject({ loss: { reason: 'nobody worked that night' } });
    rmSync(hold, { recursive: true });
    await trail.close();
  });

  it('is held while its file is damaged, too, and counts no comparison of another form', () => {
    const restoredAt = new Date();
    writeHold(directory, { recoveredTo: restoredAt, restoredAt, base: 'base' });
    const file = join(directory, 'recovery-hold.json');
    const hold = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...hold, comparison: { at: restoredAt, unknown: 0 } }));
    expect(readHold(directory)).toMatchObject({ base: 'base', comparison: undefined });
    writeFileSync(file, '{');
    expect(isHeld(directory)).toBe(true);
    expect(() => readHold(directory)).toThrow(`${file} is damaged`);
    rmSync(file);
    // Links to itself: the disk cannot say whether there is a file.
    symlinkSync(file, file);
    expect(isHeld(directory)).toBe(true);
    expect(() => readHold(directory)).toThrow('ELOOP');
    rmSync(file);
    expect(readHold(directory)).toBe(undefined);
  });
});

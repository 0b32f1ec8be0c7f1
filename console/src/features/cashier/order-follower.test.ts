import type { CashierOrder } from '@hengfu/contract/cashier';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError } from './cashier.api.ts';
import { OrderFollower } from './order-follower.ts';

const payment = { channel: 'CN_BANK', payUrl: 'https://bank.example/1', qrContent: null };

function order(change: Partial<CashierOrder> = {}): CashierOrder {
  return {
    merchant: 'Shop',
    color: null,
    logo: null,
    registeredName: null,
    refunded: '0.00',
    receipt: null,
    subject: null,
    trade_no: 'C261120160000000000001',
    amount: '100.00',
    currency: 'CNY',
    status: 'toBePaid',
    lateReturn: null,
    expiresAt: new Date(Date.now() + 1_800_000).toISOString(),
    now: new Date().toISOString(),
    channels: [{ code: 'CN_BANK', name: 'Bank' }],
    payment: null,
    returnUrl: null,
    failureReason: null,
    ...change,
  };
}

/** Creates a follower whose server returns the present `server.order`, or fails with `server.fault`. */
function setUp(first: CashierOrder | null = null) {
  const server: { order: CashierOrder; fault: CallError | null; reads: number } = {
    order: order(),
    fault: null,
    reads: 0,
  };
  const device = { isHidden: false };
  const reply = async () => {
    if (server.fault) throw server.fault;
    return { ...server.order, now: new Date().toISOString() };
  };
  const follower = new OrderFollower({
    first,
    read: () => {
      server.reads += 1;
      return reply();
    },
    pay: async () => {
      if (!server.fault) server.order = order({ payment });
      return reply();
    },
    isHidden: () => device.isHidden,
  });
  return { server, device, follower };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('OrderFollower', () => {
  it('follows an order from the choice of a channel to the payment, then stops polling', async () => {
    const { server, follower } = setUp();
    follower.refresh();
    await vi.advanceTimersByTimeAsync(0);
    expect(follower.current().order?.payment).toBeNull();

    await follower.pay('CN_BANK');
    expect(follower.current()).toMatchObject({ order: { payment }, isPaying: false, payFault: null });

    server.order = order({ payment, status: 'paid' });
    await vi.advanceTimersByTimeAsync(2000);
    expect(follower.current().order?.status).toBe('paid');
    const { reads } = server;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(server.reads).toBe(reads);
  });

  it('shows a payment that arrives after the order was closed', async () => {
    const { server, follower } = setUp();
    server.order = order({ status: 'closed', expiresAt: new Date(Date.now() - 600_000).toISOString() });
    follower.refresh();
    await vi.advanceTimersByTimeAsync(0);
    server.order = { ...server.order, status: 'paid' };
    await vi.advanceTimersByTimeAsync(15_000);
    expect(follower.current().order?.status).toBe('paid');
  });

  it('reports a lost connection after the second failed call, and recovers', async () => {
    const { server, follower } = setUp();
    follower.refresh();
    await vi.advanceTimersByTimeAsync(0);
    server.fault = new CallError('offline');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(follower.current().trouble).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    expect(follower.current()).toMatchObject({ trouble: 'offline', order: { status: 'toBePaid' } });
    server.fault = null;
    await vi.advanceTimersByTimeAsync(2000);
    expect(follower.current().trouble).toBeNull();
  });

  it('reports at once that the device is offline', () => {
    const { follower } = setUp();
    follower.noteOffline();
    expect(follower.current().trouble).toBe('offline');
  });

  it('stops polling an unknown link', async () => {
    const { server, follower } = setUp();
    server.fault = new CallError('not_found');
    follower.refresh();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(follower.current().isUnknown).toBe(true);
    expect(server.reads).toBe(1);
  });

  it('says why a payment could not start, and lets the payer try again', async () => {
    const { server, follower } = setUp();
    follower.refresh();
    await vi.advanceTimersByTimeAsync(0);
    server.fault = new CallError('channel_unavailable');
    await follower.pay('CN_BANK');
    expect(follower.current()).toMatchObject({ payFault: 'channel_unavailable', isPaying: false });
    server.fault = null;
    await follower.pay('CN_BANK');
    expect(follower.current()).toMatchObject({ payFault: null, order: { payment } });
  });

  it('finds a payment that started although the reply was lost', async () => {
    const lost = new OrderFollower({
      first: null,
      read: async () => order({ payment }),
      pay: async () => Promise.reject(new CallError('offline')),
      isHidden: () => false,
    });
    await lost.pay('CN_BANK');
    expect(lost.current()).toMatchObject({ payFault: null, order: { payment } });
    lost.stop();
  });

  it('slows down while hidden and polls at once when visible again', async () => {
    const { server, device, follower } = setUp();
    server.order = order({ payment });
    device.isHidden = true;
    follower.refresh();
    await vi.advanceTimersByTimeAsync(60_000);
    const { reads } = server;
    expect(reads).toBeLessThan(8);
    device.isHidden = false;
    follower.refresh();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.reads).toBe(reads + 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.reads).toBe(reads + 6);
  });

  it('stops polling when the page closes', async () => {
    const { server, follower } = setUp();
    follower.refresh();
    await vi.advanceTimersByTimeAsync(0);
    follower.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.reads).toBe(1);
  });

  it('begins with the order that the page came with, and polls it later', async () => {
    const { server, follower } = setUp(order());
    follower.start();
    await vi.advanceTimersByTimeAsync(0);
    expect([follower.current().order?.merchant, server.reads]).toEqual(['Shop', 0]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(server.reads).toBe(1);
  });
});

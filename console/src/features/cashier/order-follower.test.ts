import type { CashierOrder } from '@hengfu/contract/cashier';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError } from './cashier.api.ts';
import { OrderFollower } from './order-follower.ts';

const payment = { channel: 'CN_BANK', payUrl: 'https://bank.example/1', qrContent: null };

function order(change: Partial<CashierOrder> = {}): CashierOrder {
  return {
    merchant: 'Shop',
    subject: null,
    trade_no: 'C261120160000000000001',
    amount: '100.00',
    currency: 'CNY',
    status: 'toBePaid',
    expiresAt: new Date(Date.now() + 1_800_000).toISOString(),
    now: new Date().toISOString(),
    channels: [{ code: 'CN_BANK', name: 'Bank' }],
    payment: null,
    returnUrl: null,
    failureReason: null,
    ...change,
  };
}

/** A follower over a server that answers with what `server.order` is at the moment, or fails with `server.fault`. */
function setUp() {
  const server: { order: CashierOrder; fault: CallError | null; reads: number } = {
    order: order(),
    fault: null,
    reads: 0,
  };
  const device = { isHidden: false };
  const answer = async () => {
    if (server.fault) throw server.fault;
    return { ...server.order, now: new Date().toISOString() };
  };
  const follower = new OrderFollower({
    read: () => {
      server.reads += 1;
      return answer();
    },
    pay: async () => {
      if (!server.fault) server.order = order({ payment });
      return answer();
    },
    isHidden: () => device.isHidden,
  });
  return { server, device, follower };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('OrderFollower', () => {
  it('follows an order from the choice to the payment, and then rests', async () => {
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

  it('announces a lost connection at the second lost answer, and heals', async () => {
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

  it('announces at once what the device itself knows', () => {
    const { follower } = setUp();
    follower.noteOffline();
    expect(follower.current().trouble).toBe('offline');
  });

  it('asks no more about a link that leads nowhere', async () => {
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

  it('finds a payment that started although its answer was lost', async () => {
    const lost = new OrderFollower({
      read: async () => order({ payment }),
      pay: async () => Promise.reject(new CallError('offline')),
      isHidden: () => false,
    });
    await lost.pay('CN_BANK');
    expect(lost.current()).toMatchObject({ payFault: null, order: { payment } });
    lost.stop();
  });

  it('slows down while hidden and asks at once when seen again', async () => {
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

  it('stops asking when the page goes away', async () => {
    const { server, follower } = setUp();
    follower.refresh();
    await vi.advanceTimersByTimeAsync(0);
    follower.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.reads).toBe(1);
  });
});

import type { CashierOrder } from '@hengfu/contract/cashier';

/** Pays an order at the sandbox bank, as a payer with its link does. */
export async function pay(cashierUrl: string): Promise<void> {
  const { origin, pathname } = new URL(cashierUrl);
  const response = await fetch(`${origin}/api/cashier${pathname.replace('/pay', '')}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'CN_BANK' }),
  });
  if (!response.ok) throw new Error(`the checkout page replied ${response.status}: ${await response.text()}`);
  const { payment } = (await response.json()) as CashierOrder;
  if (!payment) throw new Error('the order has no payment');
  await fetch(`${payment.payUrl}/confirm`, { method: 'POST', redirect: 'manual' });
}

/** Sends a callback that says the order was paid, signed with a secret of the forger's. Returns the reply's status. */
export async function forge(notifyUrl: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': '8c8b9d4e-6f0b-4a51-9a3c-0d6f3c1b7e21',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': 'v1,+vgQcPmAC2Za/pYOdaZvy3qx0Mq+k4KHqy9t3KVw4i4=',
  };
  const body = JSON.stringify({ type: 'collection.paid', timestamp: new Date(), data: { status: 'paid' } });
  const { status } = await fetch(notifyUrl, { method: 'POST', headers, body });
  return status;
}

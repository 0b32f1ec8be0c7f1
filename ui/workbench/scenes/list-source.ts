import * as z from 'zod';
import type { ListSource } from '../../src/list/list-source.ts';

/** An order in the scene's list. */
export interface Order {
  number: string;
  status: 'paid' | 'failed';
  /** In yuan. */
  amount: string;
  createdAt: string;
}

const count = 45;

/** One order every hour from midnight UTC of 3 March 2026, the latest first; every fifth one failed. */
const orders: readonly Order[] = Array.from({ length: count }, (_, index) => ({
  number: `C2603030000${String(count - index).padStart(5, '0')}`,
  status: index % 5 === 4 ? 'failed' : 'paid',
  amount: `${1000 + index}.50`,
  createdAt: new Date(Date.UTC(2026, 2, 3, count - index)).toISOString(),
}));

const query = z.strictObject({
  limit: z.enum(['20', '50', '100']).optional(),
  cursor: z.string().regex(/^\d+$/).optional(),
  number: z.string().optional(),
  status: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  min: z.string().optional(),
  max: z.string().optional(),
});

/** Reads the orders as a server would: filtered, in pages, with their sum. */
export const orderSource: ListSource<Order> = {
  query,
  key: ['workbench', 'orders'],
  page: (values) => ({
    queryKey: ['workbench', 'orders', values],
    queryFn: async () => {
      const found = orders.filter((order) => isFound(order, values));
      const start = Number(values.cursor ?? 0);
      const limit = Number(values.limit ?? 20);
      const cents = found.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
      return {
        data: found.slice(start, start + limit),
        next: start + limit < found.length ? String(start + limit) : null,
        previous: start > 0 ? String(Math.max(0, start - limit)) : null,
        total: { count: found.length, exact: true },
        sum: { currency: 'CNY', amount: (cents / 100).toFixed(2) },
        at: '2026-03-10T08:00:00.000Z',
      };
    },
  }),
  explain: ({ message }) => ({ text: message }),
};

function isFound(
  order: Order,
  { number, status, from, to, min, max }: Readonly<Record<string, string>>,
): boolean {
  return (
    (number === undefined || order.number.startsWith(number)) &&
    (status === undefined || status.split(',').includes(order.status)) &&
    (from === undefined || Date.parse(order.createdAt) >= Date.parse(from)) &&
    (to === undefined || Date.parse(order.createdAt) < Date.parse(to)) &&
    (min === undefined || Number(order.amount) >= Number(min)) &&
    (max === undefined || Number(order.amount) <= Number(max))
  );
}

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { momentField } from './fields.ts';
import { createStatementQuery } from './statement.sql.ts';
import type { Store } from './store.ts';

const mostOrders = 500;
const statementQuery = z.strictObject({
  from: momentField,
  after: z.string().max(64).default(''),
  limit: z.coerce.number().int().min(1).max(mostOrders).default(mostOrders),
});

/**
 * Registers the list of orders that arrived from a moment on, oldest first. A full page is followed by the one from the last
 * order's moment, after its reference.
 */
export function registerStatementRoute(app: FastifyInstance, store: Store): void {
  const list = createStatementQuery(store);
  app.get('/orders', async ({ query }) => {
    const { from: createdAt, after: reference, limit } = statementQuery.parse(query);
    const orders = list({ createdAt, reference }, limit);
    return {
      orders: orders.map(({ method, ...order }) => ({
        ...order,
        amountMinor: String(order.amountMinor),
        ...(method !== null && { method }),
      })),
      isLast: orders.length < limit,
    };
  });
}

import { countOrders } from './count.sql.ts';
import { measureDurable } from './durable-load.ts';
import { atMost, type Figure } from './figures.ts';

/** Measures signed creates per second over HTTP, in the complete product. */
export function measureCreates(): Promise<Figure[]> {
  return measureDurable({
    call: 'collections',
    name: 'creates',
    judge: async ({ runtime }, answered) => {
      const written = await countOrders(runtime.services.database, 'collection');
      return [
        atMost('creates acknowledged but not stored, or the reverse', Math.abs(answered - written), '', 0),
      ];
    },
  });
}

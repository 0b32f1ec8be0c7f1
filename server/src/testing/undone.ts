import type { Database, Tx } from '#db/database.ts';

/** Does work in a transaction of the system that is rolled back. Returns its result. */
export async function undone<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const end = new Error('undone');
  const results: T[] = [];
  await database
    .asSystem(async (tx) => {
      results.push(await work(tx));
      throw end;
    })
    .catch((error: unknown) => {
      if (error !== end) throw error;
    });
  return results[0] as T;
}

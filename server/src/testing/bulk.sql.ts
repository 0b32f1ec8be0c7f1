import type { Step } from '#db/guards.ts';
import { asOwner } from '#db/owner.ts';

type Client = Parameters<Parameters<typeof asOwner>[1]>[0];

/** Server settings for bulk loading: a power cut may lose all data. */
export const fillingSettings = {
  shared_buffers: '1GB',
  max_wal_size: '32GB',
  checkpoint_timeout: '1h',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** Runs steps as the owner, with memory for large sorts. The `sequences` run in parallel, each in order. */
export async function runBulk(ownerUrl: string, ...sequences: (readonly Step[])[]): Promise<void> {
  await Promise.all(
    sequences.map((steps) =>
      asOwner(ownerUrl, async (client) => {
        await client.query(`
          set synchronous_commit = off;
          set statement_timeout = 0;
          set work_mem = '512MB';
          set maintenance_work_mem = '1GB';
          set max_parallel_maintenance_workers = 1`);
        for (const step of steps) await runTimed(client, step);
      }),
    ),
  );
}

async function runTimed(client: Client, [text, ...values]: Step): Promise<void> {
  const begunAt = performance.now();
  await client.query(text, values);
  const seconds = (performance.now() - begunAt) / 1000;
  if (process.env.BENCH_STEPS && seconds > 0.5)
    process.stderr.write(`${seconds.toFixed(1)} s: ${text.replace(/\s+/g, ' ').slice(0, 90)}\n`);
}

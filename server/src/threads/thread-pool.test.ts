import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** Blocks eight threads forever: nobody ever writes to its input. */
const program = (prepare: string) => `
  ${prepare}
  const { read } = await import('node:fs');
  const { lookup } = await import('node:dns');
  for (let each = 0; each < 8; each++) read(0, Buffer.alloc(1), () => {});
  const say = (word) => process.stdout.write(word, () => process.kill(process.pid, 'SIGKILL'));
  lookup('localhost', () => say('resolved'));
  setTimeout(() => say('stuck'), 3000);`;

function run(prepare: string): Promise<string> {
  const { UV_THREADPOOL_SIZE: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(prepare)], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}

it('resolves a name while more work than four threads can hold is blocked', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'thread-pool.ts'));
  expect(await run(`(await import(${module})).widenThreadPool();`)).toBe('resolved');
  // With Node's default pool, the same lookup waits.
  expect(await run('')).toBe('stuck');
});

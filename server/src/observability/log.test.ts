import { randomUUID } from 'node:crypto';
import { openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { cloneDatabase } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { openLog } from './log.ts';

/** Returns what is written to a log, which writes in the background, once that many lines are there. */
async function logOf(
  lines: number,
  write: (log: ReturnType<typeof openLog>) => Promise<void> | void,
): Promise<string> {
  const file = join(tmpdir(), `hengfu-log-${randomUUID()}`);
  await write(openLog('info', openSync(file, 'w')));
  const text = await until(
    () => readFile(file, 'utf8'),
    (written) => written.split('\n').length > lines,
  );
  await rm(file);
  return text;
}

it('escapes what a terminal would interpret or hide, and parses to the original text', async () => {
  const original = 'x\u001b]0;y\u0007\u009b2J\u007f\u202ez\u2066\u200b\u2028\r\n王芳 😀';
  const log = await logOf(1, (to) => to.warn({ err: new Error(original), name: original }, original));
  expect(log).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(log).toContain('王芳 😀');
  expect(JSON.parse(log)).toMatchObject({ msg: original, name: original, err: { message: original } });
});

it('omits request URLs, secrets, and the values of a row that the database rejected', async () => {
  const { ownerUrl, drop } = await cloneDatabase(inject('ownerUrl'));
  const log = await logOf(2, async (to) => {
    const refused = asOwner(ownerUrl, (client) =>
      client.query(`insert into contact_way (kind, value) values ('nothing', 'a-token-of-somebody')`),
    );
    to.error({ err: await refused.catch((error: unknown) => error) }, 'refused');
    const request = {
      method: 'GET',
      url: '/slip/a-token-of-somebody',
      headers: { cookie: 'a-token-of-somebody' },
    };
    to.error({ req: request, user: { password: 'a-token-of-somebody' } }, 'failed');
  });
  await drop();
  expect(log).toContain('contact_way_kind_check');
  expect(log.trimEnd().split('\n')).toHaveLength(2);
  expect(log).not.toContain('a-token-of-somebody');
});

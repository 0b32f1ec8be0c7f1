import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { Visitor } from '@hengfu/server/testing/visitor.ts';
import type { Harness } from './harness.ts';
import { fill, freeSpace } from './mounts.ts';

const path = '/api/merchant/exports';
const account = { email: 'disk@shop.test', password: 'Disk-pass-2026' };
/** Less than any of the files needs, even the smallest sheet. */
const leftBytes = 4096;

/**
 * Checks that an export on a full disk fails with its reason and leaves no file behind, and that a retry
 * succeeds once there is space.
 */
export async function faultsOfFullExports(harness: Harness, url: string, folder: string): Promise<string[]> {
  const { services } = harness.installation.runtime;
  const merchant = harness.merchants[0];
  if (!merchant) throw new Error('the harness has no merchant');
  const admin = new MerchantService(services.database, services.secrets, 'operator:setup');
  await admin.createUser(merchant.id, { ...account, name: 'Disk', roles: ['MERCHANT_ADMIN'] });
  const visitor = new Visitor(url);
  await visitor.signIn(account.email, account.password);
  const rowOf = async (exportNo: string) =>
    (await visitor.get(path)).json.data.find((row: { export_no: string }) => row.export_no === exportNo);
  const finalRowOf = (exportNo: string) =>
    until(
      () => rowOf(exportNo),
      ({ status }) => status === 'successful' || status === 'failed',
      60_000,
    );
  const faults: string[] = [];
  for (const format of ['csv', 'xlsx']) {
    await fill(folder, leftBytes);
    const request = { list: 'payouts', format, language: 'en', zone: 'UTC' };
    const { export_no: exportNo } = (await visitor.post(path, request)).json.data;
    const failed = await finalRowOf(exportNo);
    if (failed.status !== 'failed' || failed.reason !== 'fault')
      faults.push(`an export on a full disk ended as ${failed.status}, reason ${failed.reason}`);
    const left = (await readdir(folder)).filter((name) => name.startsWith(exportNo));
    if (left.length > 0) faults.push(`a failed export left ${left.join(', ')}`);
    await freeSpace(folder);
    await visitor.post(`${path}/${exportNo}/retry`, {});
    const retried = await finalRowOf(exportNo);
    if (retried.status !== 'successful') faults.push(`a retried export ended as ${retried.status}`);
    else faults.push(...(await faultsOfFile(visitor, url, retried)));
  }
  return faults;
}

/** Checks that the downloaded file has the SHA-256 that the export reports. */
async function faultsOfFile(
  visitor: Visitor,
  url: string,
  { export_no: exportNo, sha256 }: { export_no: string; sha256: string },
): Promise<string[]> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${url}${path}/${exportNo}/file`, { headers: { cookie } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isWhole = createHash('sha256').update(bytes).digest('hex') === sha256 && bytes.length > leftBytes;
  return isWhole ? [] : [`the file of ${exportNo} (${bytes.length} bytes) does not match its SHA-256`];
}

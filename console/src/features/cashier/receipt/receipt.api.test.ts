import { afterEach, expect, it, vi } from 'vitest';
import { fetchPdf } from './receipt.api.ts';

afterEach(() => void vi.unstubAllGlobals());

it('a receipt is saved under the name that the server gives it, such as that of test mode', async () => {
  const headers = {
    'content-disposition': `attachment; filename="TEST-C1.pdf"; filename*=UTF-8''TEST-C1.pdf`,
  };
  vi.stubGlobal('fetch', async () => new Response('%PDF-', { headers }));
  const { name, content } = await fetchPdf('token', 'en');
  expect([name, await content.text()]).toEqual(['TEST-C1.pdf', '%PDF-']);
});

import { Agent, fetch } from 'undici';

/**
 * Signs in with wrong passwords at a steady pace until it is told to stop: each try under another email, all from one
 * address, which is not the one that the others' calls come from.
 */
process.once('message', (plan: { url: string; perSecond: number }) => void flood(plan));

const tickMs = 20;
const dispatcher = new Agent({ localAddress: '127.0.0.2' });

async function flood({ url, perSecond }: { url: string; perSecond: number }): Promise<void> {
  const page = await fetch(`${url}/api/csrf-cookie`, { dispatcher });
  const cookies = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  const headers = { cookie: cookies.join('; '), 'x-xsrf-token': token };
  const statuses: Record<number, number> = {};
  let sent = 0;
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    for (; sent < due; sent++) {
      const body = new URLSearchParams({ email: `nobody${sent}@flood.test`, password: 'wrong' });
      fetch(`${url}/api/login`, { method: 'POST', headers, body, dispatcher }).then(
        async (answer) => {
          await answer.arrayBuffer();
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        },
        () => undefined,
      );
    }
  }, tickMs);
  process.once('message', () => {
    clearInterval(timer);
    process.send?.({ sent, seconds: (performance.now() - startedAt) / 1000, statuses });
    process.disconnect();
  });
}

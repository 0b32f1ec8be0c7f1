import { connect, type Socket } from 'node:net';
import { Agent, fetch } from 'undici';

/**
 * Signs in with wrong passwords at a steady pace until it is told to stop: each try under another email, all from one
 * address, which is not the one that the others' calls come from. It writes bytes to sockets, since an attacker's own
 * work is done on an attacker's own machine and should weigh little on this one.
 */
process.once('message', (plan: Plan) => void flood(plan));

interface Plan {
  url: string;
  perSecond: number;
  /** Where it comes from. */
  address: string;
  /** The yardstick: the cheapest call there is, at the same pace. */
  isHarmless: boolean;
}

const tickMs = 20;
const connections = 20;
const statusLine = /HTTP\/1\.1 (\d{3}) /g;

async function flood({ url, perSecond, address, isHarmless }: Plan): Promise<void> {
  const headOf = await prepare(url, address);
  const statuses: Record<number, number> = {};
  const sockets: Socket[] = [];
  const { hostname, port } = new URL(url);
  const open = (index: number) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: address });
    sockets[index] = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      for (const [, status] of text.matchAll(statusLine))
        statuses[Number(status)] = (statuses[Number(status)] ?? 0) + 1;
    });
    socket.on('error', () => {});
    socket.on('close', () => open(index));
  };
  for (let index = 0; index < connections; index++) open(index);
  let sent = 0;
  process.send?.('begun');
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    for (; sent < due; sent++) {
      if (isHarmless) {
        sockets[sent % connections]?.write(`GET /healthz HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
        continue;
      }
      const body = `email=nobody${sent}%40flood.test&password=wrong`;
      sockets[sent % connections]?.write(`${headOf}content-length: ${body.length}\r\n\r\n${body}`);
    }
  }, tickMs);
  process.once('message', () => {
    clearInterval(timer);
    process.send?.({ sent, seconds: (performance.now() - startedAt) / 1000, statuses });
    process.disconnect();
    for (const socket of sockets) socket.removeAllListeners('close').destroy();
  });
}

/** The head of each call, with a visitor's cookies and token, but for its length. */
async function prepare(url: string, address: string): Promise<string> {
  const dispatcher = new Agent({ localAddress: address });
  const page = await fetch(`${url}/api/csrf-cookie`, { dispatcher });
  await dispatcher.close();
  const cookies = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  return [
    'POST /api/login HTTP/1.1',
    `host: ${new URL(url).host}`,
    `cookie: ${cookies.join('; ')}`,
    `x-xsrf-token: ${token}`,
    'content-type: application/x-www-form-urlencoded',
    '',
  ].join('\r\n');
}

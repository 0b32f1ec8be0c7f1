import { connect, type Socket } from 'node:net';
import { Agent, fetch } from 'undici';

/**
 * Sends sign-ins with wrong passwords at a steady rate until the next message: each with another email, all
 * from one address, which other calls do not use. Writes raw bytes to sockets to use little CPU, since a real
 * attacker would use another machine.
 */
process.once('message', (plan: Plan) => void flood(plan));

interface Plan {
  url: string;
  perSecond: number;
  /** Local address to connect from. */
  address: string;
  /** Sends the cheapest call at the same rate instead, as a yardstick. */
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
  process.send?.('started');
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

/** Builds the request head with a visitor's cookies and token, but without Content-Length. */
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

import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connect, Plugin, ProxyOptions, ViteDevServer } from 'vite';

/** Address of the product's server; `npm run dev` sets it. */
const serverUrl = process.env.DEV_SERVER_URL ?? 'http://127.0.0.1:8080';

/** How long to wait for a restarting server. */
const restartTimeoutMs = 60_000;
const pollMs = 200;

const bootElement = /<script id="boot"[^>]*>.*?<\/script>/s;
const payerPage = /^\/(pay|receipt)\//;
/** Paths that the server handles itself. */
const serverPaths = ['/api', '/openapi', '/healthz', '/readyz', '/livez'];

/** Proxies calls to a server, with the browser's original Host header. */
export function proxyTo(target: string): Record<string, ProxyOptions> {
  return Object.fromEntries(serverPaths.map((path) => [path, { target }]));
}

/** Proxies calls to the product's server. */
export const serverProxy = proxyTo(serverUrl);

/**
 * Serves an application's pages from source, with the boot data that the server embeds (user, language, first
 * replies). Passes any other reply of the server through unchanged.
 */
export function serverBoot(target = serverUrl): Plugin {
  return {
    name: 'hengfu:server-boot',
    apply: 'serve',
    configureServer(vite) {
      vite.middlewares.use((request, response, next) => {
        if (!isNavigation(request)) return next();
        sendPage(vite, target, request, response).catch(next);
      });
    },
  };
}

/** Whether the request is for a page, as opposed to a module, a file or a call. */
function isNavigation({ method, url = '', headers }: Connect.IncomingMessage): boolean {
  const isCall = serverPaths.some((path) => url === path || url.startsWith(`${path}/`));
  return method === 'GET' && headers.accept?.includes('text/html') === true && !isCall;
}

async function sendPage(
  vite: ViteDevServer,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = request.url ?? '/';
  const reply = await fetchFromServer(new URL(url, target), request);
  for (const name of ['set-cookie', 'location', 'content-type', 'cache-control']) {
    const value = name === 'set-cookie' ? reply.headers.getSetCookie() : reply.headers.get(name);
    if (value !== null && value.length > 0) response.setHeader(name, value);
  }
  response.statusCode = reply.status;
  const text = await reply.text();
  const [boot] = bootElement.exec(text) ?? [];
  if (boot === undefined) return void response.end(text);
  const file = payerPage.test(url) ? 'cashier.html' : 'index.html';
  const source = await readFile(join(vite.config.root, file), 'utf8');
  response.end(
    await vite.transformIndexHtml(
      `/${file}`,
      source.replace('<!--boot-->', () => boot),
      url,
    ),
  );
}

/** Forwards the request to the server. Retries while the server is restarting. */
async function fetchFromServer(url: URL, { headers }: IncomingMessage): Promise<Response> {
  const forwardedHeaders = Object.entries(headers).flatMap(([name, value]) =>
    ['cookie', 'accept', 'accept-language', 'user-agent'].includes(name) && typeof value === 'string'
      ? [[name, value] as [string, string]]
      : [],
  );
  for (const deadlineMs = performance.now() + restartTimeoutMs; ; await pause(pollMs)) {
    try {
      return await fetch(url, { headers: forwardedHeaders, redirect: 'manual' });
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
    }
  }
}

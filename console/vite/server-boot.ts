import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connect, Plugin, ProxyOptions, ViteDevServer } from 'vite';

/** Where the development server finds the product's own; `npm run dev` sets it. */
const serverUrl = process.env.DEV_SERVER_URL ?? 'http://127.0.0.1:8080';

/** A server that restarts is waited for this long. */
const patienceMs = 60_000;
const pollMs = 200;

const bootElement = /<script id="boot"[^>]*>.*?<\/script>/s;
const cashierPage = /^\/pay\//;
/** What the server answers by itself. */
const calls = ['/api', '/openapi', '/healthz', '/readyz', '/livez'];

/** Passes calls on to the server, which sees the address that the browser asked. */
export const serverProxy: Record<string, ProxyOptions> = Object.fromEntries(
  calls.map((path) => [path, { target: serverUrl }]),
);

/**
 * Serves the console's pages from their sources, with what the server would put into them (user, language, first
 * figures) inside. Whatever the server answers in place of a page is passed on as it is.
 */
export function serverBoot(): Plugin {
  return {
    name: 'hengfu:server-boot',
    apply: 'serve',
    configureServer(vite) {
      vite.middlewares.use((request, response, next) => {
        if (!isNavigation(request)) return next();
        sendPage(vite, request, response).catch(next);
      });
    },
  };
}

/** Whether a browser asks for a page, not for a module, a file or a call. */
function isNavigation({ method, url = '', headers }: Connect.IncomingMessage): boolean {
  const isCall = calls.some((path) => url === path || url.startsWith(`${path}/`));
  return method === 'GET' && headers.accept?.includes('text/html') === true && !isCall;
}

async function sendPage(
  vite: ViteDevServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = request.url ?? '/';
  const answer = await askServer(url, request);
  for (const name of ['set-cookie', 'location', 'content-type', 'cache-control']) {
    const value = name === 'set-cookie' ? answer.headers.getSetCookie() : answer.headers.get(name);
    if (value !== null && value.length > 0) response.setHeader(name, value);
  }
  response.statusCode = answer.status;
  const text = await answer.text();
  const [boot] = bootElement.exec(text) ?? [];
  if (boot === undefined) return void response.end(text);
  const file = cashierPage.test(url) ? 'cashier.html' : 'index.html';
  const source = await readFile(join(vite.config.root, file), 'utf8');
  response.end(
    await vite.transformIndexHtml(
      `/${file}`,
      source.replace('<!--boot-->', () => boot),
      url,
    ),
  );
}

/** The server's answer to the same request; a server that is just restarting is asked again. */
async function askServer(url: string, { headers }: IncomingMessage): Promise<Response> {
  const passedOn = Object.entries(headers).flatMap(([name, value]) =>
    ['cookie', 'accept', 'accept-language', 'user-agent'].includes(name) && typeof value === 'string'
      ? [[name, value] as [string, string]]
      : [],
  );
  for (const until = performance.now() + patienceMs; ; await pause(pollMs)) {
    try {
      return await fetch(new URL(url, serverUrl), { headers: passedOn, redirect: 'manual' });
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

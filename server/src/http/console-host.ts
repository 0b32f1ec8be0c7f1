import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import { cashierPage } from '@hengfu/contract/cashier';
import { type Language, languages } from '@hengfu/contract/session';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { isDatabaseAway } from '#db/pool.ts';
import type { Person } from '#domain/caller.ts';
import { sendNotFound } from './error-handler.ts';
import { firstReplies } from './first-calls.ts';
import type { Guards } from './guards.ts';
import { userView } from './user-view.ts';

/** What the server puts into the console's pages besides the page itself. */
export interface ConsoleHostOptions {
  /** console/dist */
  folder: string;
  title: string;
  version: string;
  demoSignIn: { email: string; password: string } | null;
}

const preloadFile = z.object({
  routes: z.record(z.string(), z.array(z.string())),
  languages: z.record(z.string(), z.array(z.string())),
});

const apiPath = /^\/(api|openapi)(\/|$)/;
/**
 * A path that is named like a file is answered with 404 where there is no such file, not with a page: `/.env`,
 * `/record.zip`, `/record~`. Behind `/redirect/`, that is a plain name: an address may end like a file
 * (`/redirect/https://example.com`), and the page judges it.
 */
const filePath = /^(?!\/redirect\/(?![\w.~-]+$)).*(\/\.|(\.|%2e)\w{1,7}$|(~|%7e)$)/i;

/**
 * Serves the built console: hashed assets for a year, the pages never cached, with a nonce for their scripts and what
 * they would ask for first (user, language, figures) already inside. Every path that is no call and no file is the console's.
 */
export async function consoleHost(
  app: FastifyInstance,
  guards: Guards,
  options: ConsoleHostOptions,
): Promise<void> {
  if (!existsSync(join(options.folder, 'index.html'))) {
    app.log.warn('the console is not built: npm run build');
    app.setNotFoundHandler(sendNotFound);
    return;
  }
  const page = await readFile(join(options.folder, 'index.html'), 'utf8');
  const cashier = await readFile(join(options.folder, 'cashier.html'), 'utf8');
  const preload = preloadFile.parse(JSON.parse(await readFile(join(options.folder, 'preload.json'), 'utf8')));

  await app.register(staticFiles, {
    root: options.folder,
    wildcard: false,
    preCompressed: true,
    index: false,
    globIgnore: ['**/*.html', '**/*.map', '**/.*', '**/preload.json'],
    setHeaders: (response, path) => {
      if (path.includes('/assets/')) response.header('cache-control', 'public, max-age=31536000, immutable');
    },
  });

  app.get<{ Params: { token: string } }>(cashierPage.path, (request, reply) => {
    if (filePath.test(request.params.token)) return sendNotFound(request, reply);
    const boot = { title: options.title, language: languageWanted(request) };
    return sendPage(request, reply, cashier, boot, []);
  });

  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url.split('?')[0] ?? '/';
    if (!isPage || apiPath.test(path) || path.startsWith('/assets/') || filePath.test(path))
      return sendNotFound(request, reply);
    const user = await userOf(guards, request);
    const language = languageWanted(request, user?.language);
    const replies = user ? await firstReplies(app, request, path) : {};
    const { title, version, demoSignIn: demo } = options;
    const boot = { user, title, version, demo, language, replies };
    const shown = user === null ? '/login' : path;
    return sendPage(request, reply, page, boot, [
      ...(preload.routes[shown] ?? []),
      ...(preload.languages[language] ?? []),
    ]);
  });
}

/** The signed-in user for the page, null for nobody; undefined with the database away: the page opens and says so. */
async function userOf(
  guards: Guards,
  request: FastifyRequest,
): Promise<ReturnType<typeof userView> | null | undefined> {
  try {
    const person: Person | undefined = await guards.visitor(request);
    // As the call for the user does: who has not passed a factor learns nothing of whose session it is.
    return person && person.level !== 'password' ? userView(person) : null;
  } catch (error) {
    if (isDatabaseAway(error)) return undefined;
    throw error;
  }
}

/** The language that the browser chose, else the user's, else the first. */
function languageWanted(request: FastifyRequest, ofUser?: Language | null): Language {
  const cookie = request.cookies.language;
  return languages.find((language) => language === cookie) ?? ofUser ?? languages[0];
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  boot: object,
  modules: readonly string[],
): FastifyReply {
  const nonce = request.cspNonce;
  // "<" would end the script element early if a name held it.
  const json = JSON.stringify(boot).replaceAll('<', '\\u003c');
  const preloads = modules
    .map((file) => `<link rel="modulepreload" href="/${file}" nonce="${nonce}">`)
    .join('');
  const html = page
    .replaceAll('__CSP_NONCE__', nonce)
    .replace(
      '<!--boot-->',
      () => `<script id="boot" type="application/json" nonce="${nonce}">${json}</script>${preloads}`,
    );
  return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
}

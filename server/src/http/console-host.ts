import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import { cashierPage } from '@hengfu/contract/cashier';
import { type Language, languages } from '@hengfu/contract/languages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { isDatabaseAway } from '#db/pool.ts';
import type { Person } from '#domain/caller.ts';
import { sendNotFound } from './error-handler.ts';
import { firstReplies } from './first-calls.ts';
import type { Guards } from './guards.ts';
import { userView } from './user-view.ts';

/** The console's files, and values to embed in its pages. */
export interface ConsoleHostOptions {
  /** Path of console/dist. */
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
 * Matches paths that look like a file (`/.env`, `/record.zip`, `/record~`): if there is no such file, they
 * get a 404 instead of a page. After `/redirect/` only a plain name matches, since a URL may end like a file
 * (`/redirect/https://example.com`) and the page decides about it.
 */
const filePath = /^(?!\/redirect\/(?![\w.~-]+$)).*(\/\.|(\.|%2e)\w{1,7}$|(~|%7e)$)/i;

/**
 * Serves the built console: hashed assets are cached for a year, pages never. Each page has a nonce for its
 * scripts and embeds the data it would request first (user, language, figures). Every path that is neither an
 * API call nor a file is a console page.
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
  const page = await readPage(options, 'index.html');
  const cashier = await readPage(options, 'cashier.html');
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
    const boot = { title: options.title, language: preferredLanguage(request) };
    return sendPage(request, reply, cashier, boot, []);
  });

  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url.split('?')[0] ?? '/';
    if (!isPage || apiPath.test(path) || path.startsWith('/assets/') || filePath.test(path))
      return sendNotFound(request, reply);
    const readAt = Date.now();
    const found = await findUser(guards, request);
    const { user } = found;
    const language = preferredLanguage(request, user?.language);
    const replies = user ? await firstReplies(app, request, { path, code: user.merchant.code }) : {};
    const { title, version, demoSignIn: demo } = options;
    const boot = { ...found, title, version, demo, language, replies, readAt };
    const shown = user === null && !found.isMerchantDue ? '/login' : path;
    return sendPage(request, reply, page, boot, [
      ...(preload.routes[shown] ?? []),
      ...(preload.languages[language] ?? []),
    ]);
  });
}

/** Reads a built page and gives it the product's name, because link previews read it without running scripts. */
async function readPage({ folder, title }: ConsoleHostOptions, name: string): Promise<string> {
  const html = await readFile(join(folder, name), 'utf8');
  return html.replace(/<title>[^<]*<\/title>/, () => `<title>${htmlText(title)}</title>`);
}

/** Escapes a text for HTML. */
function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface FoundUser {
  /** Null if signed out; absent if the database is down. */
  user?: ReturnType<typeof userView> | null;
  /** The user has signed in, and has to choose a merchant next. */
  isMerchantDue?: boolean;
}

/** Returns the signed-in user of a page. */
async function findUser(guards: Guards, request: FastifyRequest): Promise<FoundUser> {
  try {
    const person: Person | undefined = await guards.sessionPerson(request);
    if (person?.level === 'person') return { user: null, isMerchantDue: true };
    // Like GET /api/merchant/user: a session without its second factor must not reveal whose it is.
    return { user: person && person.level !== 'password' ? userView(person) : null };
  } catch (error) {
    if (isDatabaseAway(error)) return {};
    throw error;
  }
}

/** Returns the language from the browser's cookie, else the user's, else the first. */
function preferredLanguage(request: FastifyRequest, userLanguage?: Language | null): Language {
  const cookie = request.cookies.language;
  return languages.find((language) => language === cookie) ?? userLanguage ?? languages[0];
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  boot: object,
  modules: readonly string[],
): FastifyReply {
  const nonce = request.cspNonce;
  // Escapes "<", since "</script" in a name would end the element early.
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

/** Replaces secret path parameters in logs. */
const mask = '***';
/** Slashes of either kind, and any dot segments between them. */
const separator = /((?:[/\\]|%2f|%5c)+(?:(?:\.|%2e){1,2}(?:[/\\]|%2f|%5c)+)*)/i;
/** Parts that were encoded more than once: some programs encode a whole link again that they pass on. */
const encodedAgain = /%(?:25)+(?=[\da-f]{2})/gi;

/** Segments of a call's path that are kept in logs: words, versions and numbers of orders. */
const knownSegment = /^(?:[a-z][a-z_-]{0,23}|v\d{1,3}|[A-Z]{0,3}\d{1,40}[-_A-Z\d]{0,12})?$/;

/**
 * Masks the segments of a path of the Open API that are neither words nor numbers of orders: a program with a fault can send its secret
 * there.
 */
export function maskedCallPath(path: string): string {
  return path
    .split('/')
    .map((segment) => (knownSegment.test(segment) ? segment : mask))
    .join('/');
}

/**
 * Whether a path is that of the Open API, or meant to be: with doubled slashes, encoded, or behind the address of a server, it may contain
 * the same.
 */
export function isCallPath(path: string): boolean {
  if (path.startsWith('/openapi/')) return true;
  return /openapi|%/i.test(path) && path.split(separator).some((piece) => nameOf(piece) === 'openapi');
}

/** How many URLs are cached, and their maximum length. */
const maxShown = 256;
const maxShownLength = 128;

/** A path with parameters, some of which are secret: `/pay/:token`. */
interface SecretPath {
  path: string;
  secretParams: readonly string[];
}

/** A segment of a path: fixed text, a parameter, or a secret parameter. */
type Part = { text: string } | 'parameter' | 'secret';

/**
 * Finds paths that contain a bearer token, which no log, metric or cache may keep. A path matches anywhere in
 * a URL, and only up to its secret: `//slip/…`, `/redirect/slip/…` and `/slip/…/more` contain the same token.
 */
export class SecretPaths {
  /** By the name that they begin with. */
  readonly #known = new Map<string, (readonly Part[])[]>();
  /** URLs that are shown as they are. Each is looked up several times per call, and most calls repeat a path without parameters. */
  readonly #shown = new Set<string>();

  constructor(paths: readonly SecretPath[]) {
    for (const path of paths) this.add(path);
  }

  add({ path, secretParams }: SecretPath): void {
    const parts = path
      .split('/')
      .slice(1)
      .map((text): Part => {
        if (!text.startsWith(':')) return { text };
        return secretParams.includes(text.slice(1)) ? 'secret' : 'parameter';
      });
    const untilSecret = parts.slice(0, parts.lastIndexOf('secret') + 1);
    const [first] = untilSecret;
    if (first === undefined) return;
    if (typeof first === 'string') throw new Error(`the path ${path} begins with a parameter`);
    this.#known.set(first.text, [...(this.#known.get(first.text) ?? []), untilSecret]);
    this.#shown.clear();
  }

  /** Returns the URL without its query, with secrets masked. What was encoded more than once is shown encoded once. */
  masked(url: string): string {
    if (this.#shown.has(url)) return url;
    const masked = this.#mask(url);
    if (masked === url && url.length <= maxShownLength) {
      if (this.#shown.size >= maxShown) this.#shown.clear();
      this.#shown.add(url);
    }
    return masked;
  }

  #mask(url: string): string {
    const pieces = pathOf(url).split(separator);
    const names = pieces.map((piece, index) => (index % 2 === 0 ? nameOf(piece) : piece));
    const isKnown = (name: string, index: number) => index % 2 === 0 && this.#known.has(name);
    if (!names.some(isKnown)) return pieces.join('');
    const segments = { names, next: followersOf(names) };
    const masked = [...pieces];
    // Compared with the path as it came: what one path masks must not hide a secret from the next.
    for (const [at, name] of names.entries())
      for (const parts of this.#known.get(name) ?? [])
        for (const secret of secretsFrom(at, parts, segments)) masked[secret] = mask;
    return masked.join('');
  }

  /** Whether a URL contains such a secret. */
  hasSecret(url: string): boolean {
    return this.masked(url) !== pathOf(url);
  }
}

/** Returns the path of a URL. */
function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.includes('%25') ? path.replaceAll(encodedAgain, '%') : path;
}

/** The names of a URL's segments, at even indices, and which segments may follow each. */
interface Segments {
  names: readonly string[];
  next: (at: number) => readonly number[];
}

/** Returns the indices of secrets in all ways in which the parts match the segments from index `at` on. */
function secretsFrom(at: number, [part, ...rest]: readonly Part[], segments: Segments): number[] {
  const name = segments.names[at];
  if (part === undefined || name === undefined || name === '') return [];
  if (typeof part !== 'string' && name !== part.text) return [];
  if (rest.length === 0) return [at];
  const found = segments.next(at).flatMap((next) => secretsFrom(next, rest, segments));
  return part === 'secret' && found.length > 0 ? [at, ...found] : found;
}

/** Dot segments for the parent, within a separator. */
const parentSegment = /(?:\.|%2e){2}/gi;

/**
 * Returns which segments may follow the one at an index: the next one as the path came, and those that follow once `..` is resolved.
 * `/pay/x/../TOKEN` is `/pay/TOKEN` for programs that resolve it.
 */
function followersOf(names: readonly string[]): (at: number) => readonly number[] {
  const followers = new Map<number, number[]>();
  const follow = (before: number | undefined, at: number) => {
    if (before === undefined) return;
    const known = followers.get(before);
    if (known) known.push(at);
    else followers.set(before, [at]);
  };
  const parents: number[] = [];
  let last: number | undefined;
  for (const [at, name] of names.entries()) {
    if (at % 2 === 1) parents.length -= Math.min(parents.length, name.match(parentSegment)?.length ?? 0);
    // With a parameter (`/..;x/`), which hides it from those who look for dots alone.
    else if (name === '..') parents.pop();
    else if (name !== '.' && name !== '') {
      follow(last, at);
      if (parents.at(-1) !== last) follow(parents.at(-1), at);
      parents.push(at);
      last = at;
    }
  }
  return (at) => followers.get(at) ?? [];
}

/**
 * From the first character that is seen to the last one. Takes linear time, unlike a pattern for the spaces at the end, which would search
 * that end again from each of many spaces within.
 */
const visiblePart = /[^\s\p{C}](?:.*[^\s\p{C}])?/su;

/** Returns a segment's name, decoded, without spaces around it and without parameters that some clients append (`/pay;x`). */
function nameOf(piece: string): string {
  const [name = ''] = piece.split(/;|%3b/i, 1);
  if (!name.includes('%')) return name.toLowerCase();
  try {
    return (visiblePart.exec(decodeURIComponent(name))?.[0] ?? '').toLowerCase();
  } catch {
    return name;
  }
}

/** What stands in a log in place of a part of a path that carries authority of its own. */
const mask = '***';
/** Slashes of either kind, and parts of dots between them, which name no place of their own. */
const separator = /((?:[/\\]|%2f|%5c)+(?:(?:\.|%2e){1,2}(?:[/\\]|%2f|%5c)+)*)/i;

/** A path with parameters, some of which are secret: `/pay/:token`. */
interface SecretPath {
  path: string;
  secretParams: readonly string[];
}

/** A part of a path: a fixed one, a parameter, or a secret one. */
type Part = { text: string } | 'parameter' | 'secret';

/**
 * Knows the paths that carry authority of their own, which no log, metric or cache may keep. They are looked for anywhere in
 * an address and up to the secret only: `//slip/…`, `/redirect/slip/…` and `/slip/…/more` hold the same token.
 */
export class SecretPaths {
  readonly #known: (readonly Part[])[] = [];

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
    this.#known.push(parts.slice(0, parts.lastIndexOf('secret') + 1));
  }

  /** The address without its query, and with what is secret masked. */
  shown(url: string): string {
    const [path = ''] = url.split(/[?#]/, 1);
    const pieces = path.split(separator);
    for (const parts of this.#known)
      for (let at = 0; at < pieces.length; at += 2) if (isAt(pieces, at, parts)) maskAt(pieces, at, parts);
    return pieces.join('');
  }

  /** Whether an address holds such a secret. */
  isSecret(url: string): boolean {
    return this.shown(url) !== url.split(/[?#]/, 1)[0];
  }
}

/** Whether pieces of an address, every other one a separator, are these parts from one on. */
function isAt(pieces: readonly string[], at: number, parts: readonly Part[]): boolean {
  return parts.every((part, index) => {
    const piece = pieces[at + 2 * index];
    if (piece === undefined || piece === '') return false;
    return typeof part === 'string' || plain(piece) === part.text;
  });
}

function maskAt(pieces: string[], at: number, parts: readonly Part[]): void {
  for (const [index, part] of parts.entries()) if (part === 'secret') pieces[at + 2 * index] = mask;
}

/** What a part names, without the parameters that some clients write behind it (`/pay;x`). */
function plain(piece: string): string {
  const [name = ''] = piece.split(/;|%3b/i, 1);
  if (!name.includes('%')) return name.toLowerCase();
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return name;
  }
}

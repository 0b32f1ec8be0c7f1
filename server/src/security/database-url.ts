/** A database and the hosts that may serve it. */
export interface DatabaseUrl {
  /** One plain URL per host, in the given order. */
  hosts: readonly [string, ...string[]];
  /** Whether connections need a host that accepts writes; otherwise any host will do. */
  needsWrites: boolean;
}

/** A faulty database URL. The message never contains the URL, which may hold a password. */
export class DatabaseUrlError extends Error {}

const parts = /^(?<start>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<authority>[^/?#]*)(?<rest>.*)$/s;
const hostAndPort = /^(?:\[[0-9a-fA-F:.]+\]|[^\s:[\]]+)(?::\d{1,5})?$/;
const parameter = 'target_session_attrs';
/** Values of `target_session_attrs`: true asks for a host that accepts writes. */
const wantedSessions = new Map([
  ['read-write', true],
  ['primary', true],
  ['any', false],
]);

/**
 * Parses a PostgreSQL URL that may name several hosts, as libpq does (PostgreSQL documentation, 34.1.1.3):
 * `postgres://name:password@one:5432,two:5432,three/database?target_session_attrs=read-write`. A port that is missing is
 * 5432; without `target_session_attrs`, a host that accepts writes is wanted, as the product writes. A URL of one host is
 * returned as it is. Throws {@link DatabaseUrlError}.
 */
export function parseDatabaseUrl(url: string): DatabaseUrl {
  const { start, authority, rest } = parts.exec(url)?.groups ?? {};
  if (start === undefined || authority === undefined || rest === undefined)
    throw new DatabaseUrlError('must begin with postgres:// or postgresql://');
  const names = authority.split(',');
  // A password with one of these characters ends the authority early, so that its beginning looks like a host.
  if (rest.includes('@') && names.some((name) => !isHost(name)))
    throw new DatabaseUrlError(
      'has an @ after its hosts: the characters / ? # @ must be escaped in a password',
    );
  const faulty = names.length > 1 ? names.findIndex((name) => !isHost(name)) : -1;
  if (faulty >= 0)
    throw new DatabaseUrlError(
      names[faulty] === ''
        ? 'names an empty host: hosts are separated by single commas'
        : `has a host that is not host:port: number ${faulty + 1} of ${names.length}`,
    );
  const [first, ...others] = names.map((name) => plainUrl(`${start}${name}${rest}`));
  if (first === undefined) throw new DatabaseUrlError('names no host');
  return { hosts: [first.href, ...others.map(({ href }) => href)], needsWrites: first.needsWrites };
}

/** Splits a list of replicas, separated by commas: whole URLs, or hosts of one URL. Throws {@link DatabaseUrlError}. */
export function parseReplicaUrls(text: string): string[] {
  return text.split(/,(?=postgres(?:ql)?:\/\/)/).flatMap((url) => parseDatabaseUrl(url).hosts);
}

/** Returns host and port of the URL of one of several hosts. */
export function addressOf(plain: string): { host: string; port: number } {
  const { hostname, port } = new URL(plain);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432) };
}

/** Returns the URL with another name and password, which consist of characters that need no escaping. */
export function withLogin(url: string, name: string, password: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?/, `$1${name}:${password}@`);
}

/** Returns the URL of hosts that need not accept writes. */
export function readableUrl(plain: string): string {
  const url = new URL(plain);
  url.searchParams.set(parameter, 'any');
  return url.href;
}

function isHost(name: string): boolean {
  const port = /:(\d+)$/.exec(name)?.[1];
  return hostAndPort.test(name) && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535));
}

/** Removes the parameter that only libpq knows. Without it, the text stays exactly as it is. */
function plainUrl(text: string): { href: string; needsWrites: boolean } {
  if (!URL.canParse(text)) throw new DatabaseUrlError('is not a URL');
  const url = new URL(text);
  if (url.searchParams.getAll('host').some((host) => host.includes(',')))
    throw new DatabaseUrlError(
      'names several hosts as a parameter: write them before the database, separated by commas',
    );
  const wanted = url.searchParams.get(parameter);
  if (wanted === null) return { href: text, needsWrites: true };
  const needsWrites = wantedSessions.get(wanted);
  if (needsWrites === undefined)
    throw new DatabaseUrlError(
      `has a ${parameter} that is not one of ${[...wantedSessions.keys()].join(', ')}`,
    );
  url.searchParams.delete(parameter);
  return { href: url.href, needsWrites };
}

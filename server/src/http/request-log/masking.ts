import {
  type FieldMask,
  loggedBodyBytes,
  loggedFields,
  loggedSentences,
} from '@hengfu/contract/logged-fields';

/** Takes the place of a hidden value. */
export const hidden = '•••';
const cut = '…';
/** Maximum characters of one value. */
const maxValueLength = 256;
const maxNameLength = 64;
/** Maximum fields and items of a body; bodies of valid calls have far fewer. */
const maxValues = 200;
const maxDepth = 8;
const maxQueryLength = loggedBodyBytes / 4;
/** The end of a query that may be a part of a character. */
const cutThrough = /(?:%[C-F][\dA-F](?:%[89AB][\dA-F]){0,2})?(?:%[\dA-F]?)?$/i;
const emails = /[^\s@"'<>,;]+@[^\s@"'<>,;]+/g;
const longNumbers = /\d[\d -]{5,}\d/g;
const shownDigits = 4;

/** Secrets of keys and of callbacks, by their form: a program may send one that is not the secret of the call's key. */
const secretForms = /sk_[0-9a-f]{8,}|whsec_[\w+/=-]{8,}/gi;

const secretBeginnings = ['sk_', 'whsec_'] as const;
/** The same in Base64, as in a header of Basic authentication that a program logs or sends on. Shorter rests are no secret. */
const encodedForms = new RegExp(
  `(?:${secretBeginnings.flatMap(encodedBeginnings).join('|')})[\\w+/-]{16,}={0,2}`,
  'g',
);

/** Returns how a text appears within Base64, at each of the three places where it can begin. Characters that depend on others are missing. */
function encodedBeginnings(text: string): string[] {
  return [0, 1, 2].map((before) =>
    Buffer.from('\0'.repeat(before) + text)
      .toString('base64')
      .slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3)),
  );
}

/** Removes secrets from a text. */
export type Clean = (text: string) => string;

/** Returns what removes the secret of a key, if it is known, and everything that has the form of a secret. */
export function cleanOf(secret: string | undefined): Clean {
  return (text) =>
    (secret ? text.replaceAll(secret, hidden) : text)
      .replaceAll(secretForms, hidden)
      .replaceAll(encodedForms, hidden);
}

/** The beginnings of secrets, and backslashes: with those, JSON can hide anything. */
const suspicious = /sk_|whsec_|\\/i;
/** The result of {@link cleanOfText} if there is nothing to remove. */
export const unchanged: Clean = (text) => text;

/**
 * Returns the same for the parts of a text, or for the values of JSON. The whole text is scanned once: nearly always there is nothing to
 * remove, so its parts need no cleaning.
 */
export function cleanOfText(text: string, secret: string | undefined): Clean {
  const isSuspicious =
    suspicious.test(text) || text.search(encodedForms) >= 0 || (secret && text.includes(secret));
  return isSuspicious ? cleanOf(secret) : unchanged;
}

/** Returns the beginning of a text. A character that would be cut through is left out. */
export function beginningOf(text: string, length: number): string {
  const end = text.charCodeAt(length - 1);
  const isHalf = text.length > length && end >= 0xd800 && end < 0xdc00;
  return text.slice(0, isHalf ? length - 1 : length);
}

/** A body as the log keeps it. */
export interface MaskedBody {
  /** JSON of at most {@link loggedBodyBytes} bytes; the end may be missing. */
  text: string;
  /** Something was left out because it was too long. */
  isCut: boolean;
  /** A value was masked or left out, so that the text is not what was sent. */
  isMasked: boolean;
}

/** Masks a parsed body. Values of fields that the contract does not name are hidden. */
export function maskedBody(body: unknown, clean = cleanOf(undefined)): MaskedBody {
  const masker = new Masker(clean);
  const whole = JSON.stringify(masker.value(body, undefined, 0)) ?? '';
  const text = cutToBytes(whole);
  const isCut = masker.isCut || text !== whole;
  return { text, isCut, isMasked: masker.isMasked || isCut };
}

/** Masks the values of a query, in the order in which they were sent. Returns undefined without a query. */
export function maskedQuery(
  url: string,
  clean = cleanOf(undefined),
): { text: string; isMasked: boolean } | undefined {
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const masker = new Masker(clean);
  const parts = url
    .slice(start + 1)
    .split('&', maxValues)
    .map((part) => {
      const [name = '', value] = part.split(/=(.*)/s, 2);
      const shownName = masker.encodedName(name);
      if (value === undefined) return shownName;
      const shown = String(masker.value(decoded(value), maskOfField(decoded(name)), 1)).toWellFormed();
      return `${shownName}=${encodeURIComponent(shown).replaceAll('%E2%80%A2', '•').replaceAll('%E2%80%A6', cut)}`;
    });
  const text = parts.join('&');
  const kept =
    text.length > maxQueryLength ? text.slice(0, maxQueryLength).replace(cutThrough, '') + cut : text;
  return { text: kept, isMasked: masker.isMasked };
}

/** The fields that the contract names, with the way in which they are kept. */
const knownNames: ReadonlyMap<string, FieldMask | 'sentences'> = new Map([
  ...Object.entries(loggedFields),
  ...loggedSentences.map((name) => [name, 'sentences'] as const),
]);

/** Returns how the values of a field are kept; undefined if they are hidden, or are sentences. */
export function maskOfField(name: string): FieldMask | undefined {
  const known = knownNames.get(name);
  return known === 'sentences' ? undefined : known;
}

/** Whether a value is short enough to be kept whole. */
export const isShortValue = (value: string): boolean => value.length <= maxValueLength;

/** Masks a short text that needs no cleaning. */
export const maskText = (text: string, mask: FieldMask): string => masks[mask](text);

/** Sets a field whose name a caller has chosen: `__proto__` is possible. */
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Masks values, and notes whether it changed any. */
class Masker {
  isMasked = false;
  isCut = false;
  readonly #clean: Clean;
  #values = 0;

  constructor(clean: Clean) {
    this.#clean = clean;
  }

  name(given: string): string {
    // Cleaned before it is cut: of a secret that was cut through, a part would be left.
    const name = this.#clean(given);
    if (name !== given) this.isMasked = true;
    if (name.length <= maxNameLength) return name;
    this.isCut = true;
    return beginningOf(name, maxNameLength) + cut;
  }

  /** Returns the name of a part of a query as it was sent, unless it contains a secret, in whatever encoding. */
  encodedName(name: string): string {
    const plain = decoded(name);
    return this.#clean(plain) === plain ? this.name(name) : this.#hide();
  }

  value(value: unknown, mask: FieldMask | undefined, depth: number): unknown {
    if (typeof value === 'object' && value !== null) return this.#container(value, mask, depth);
    if (value === null) return null;
    if (mask === undefined) return this.#hide();
    if (typeof value !== 'string') return mask === 'shown' ? value : this.#text(String(value), mask);
    return this.#text(value, mask);
  }

  #container(value: object, mask: FieldMask | undefined, depth: number): unknown {
    if (depth >= maxDepth) return this.#hide();
    if (Array.isArray(value))
      return value.filter(() => this.#hasRoom()).map((item) => this.value(item, mask, depth + 1));
    const masked: Record<string, unknown> = {};
    for (const name in value) {
      if (!Object.hasOwn(value, name) || !this.#hasRoom()) continue;
      const item = (value as Record<string, unknown>)[name];
      const known = knownNames.get(name);
      if (known === 'sentences') masked[name] = this.#sentences(item);
      else if (known) masked[name] = this.value(item, known, depth + 1);
      else setOwn(masked, this.name(name), this.value(item, undefined, depth + 1));
    }
    return masked;
  }

  /** Masks our sentences about fields, whatever the names of the fields. */
  #sentences(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return this.#hide();
    return Object.fromEntries(
      Object.entries(value)
        .filter(() => this.#hasRoom())
        .map(([name, item]) => [this.name(name), this.value(item, 'text', maxDepth - 1)]),
    );
  }

  #hasRoom(): boolean {
    if (this.#values++ < maxValues) return true;
    this.isCut = true;
    return false;
  }

  #hide(): string {
    this.isMasked = true;
    return hidden;
  }

  #text(sent: string, mask: FieldMask): string {
    const value = this.#clean(sent);
    if (value !== sent) this.isMasked = true;
    const isTooLong = value.length > maxValueLength;
    // Cut first: the patterns take long for long texts. A number that was cut through is no longer known as one.
    const given =
      isTooLong && mask === 'text' ? beginningOf(value, maxValueLength).replace(/[\d -]+$/, '') : value;
    const text = masks[mask](given);
    if (text !== value) this.isMasked = true;
    if (!isTooLong) return text;
    this.isCut = true;
    return beginningOf(text, maxValueLength) + cut;
  }
}

const masks: Readonly<Record<FieldMask, (text: string) => string>> = {
  shown: (text) => text,
  text: (text) =>
    (text.includes('@') ? text.replaceAll(emails, hidden) : text).replaceAll(longNumbers, (number) =>
      lastOf(number.replaceAll(/\D/g, '')),
    ),
  lastFour: lastOf,
  firstLetter: (text) => (text === '' ? '' : `${[...text.trimStart()][0] ?? ''}${hidden}`),
  origin: originOf,
};

/** Shows the last four characters; fewer of a short text, which they would give away. */
function lastOf(text: string): string {
  if (text === '') return '';
  const shown = text.length >= 2 * shownDigits ? shownDigits : Math.floor(text.length / 3);
  return `${hidden}${shown > 0 ? text.slice(-shown).toWellFormed() : ''}`;
}

/** An address of a server in its usual form, up to its path. */
const plainOrigin =
  /^https?:\/\/(?:[a-z][a-z\d.-]*|[1-9]\d{0,2}(?:\.(?:0|[1-9]\d{0,2})){3})(?::\d{1,5})?(?=[/?#]|$)/;

/** A host with its port. A browser's parser accepts others, with quotes and braces that were percent-encoded. */
const plainHost = /^(?:[a-z\d._-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** Shows the server of an address: its path and query can contain tokens. */
function originOf(text: string): string {
  const [plain] = plainOrigin.exec(text) ?? [];
  if (plain !== undefined)
    return text.length <= plain.length + 1 && !/[?#]$/.test(text) ? text : `${plain}/${hidden}`;
  const { protocol, host } = URL.parse(text) ?? { protocol: '', host: '' };
  if (!/^https?:$/.test(protocol) || !plainHost.test(host)) return hidden;
  const origin = `${protocol}//${host}`;
  return text === origin || text === `${origin}/` ? text : `${origin}/${hidden}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return hidden;
  }
}

function cutToBytes(text: string): string {
  if (text.length * 3 <= loggedBodyBytes || Buffer.byteLength(text) <= loggedBodyBytes) return text;
  const bytes = Buffer.from(text).subarray(0, loggedBodyBytes);
  // A character that was cut through is left out.
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}

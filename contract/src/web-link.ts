const webLink = /^https?:\/\/[^\s\\\p{C}/?#@]+([/?#][^\s\\\p{C}]*)?$/iu;

/**
 * Whether a text is a full http or https address that reads the same to everybody: `https:host`, `https:\\host` and line
 * breaks are mended silently by URL parsers, and what stands before an `@` looks like the host and is none.
 */
export function isWebLink(text: string): boolean {
  return webLink.test(text);
}

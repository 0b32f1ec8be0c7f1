const webLink = /^https?:\/\/[^\s\\\p{C}/?#@]+([/?#][^\s\\\p{C}]*)?$/iu;

/**
 * Whether a text is a full http or https URL that everyone reads the same way: URL parsers silently repair
 * `https:host`, `https:\\host` and line breaks, and text before an `@` looks like the host but is not.
 */
export function isWebLink(text: string): boolean {
  return webLink.test(text);
}

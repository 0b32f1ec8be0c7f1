import type { Config } from '#config.ts';
import { Secrets } from '#security/secrets.ts';

/** Address of the sandbox bank, and the secret that the product shares with it. */
export interface Sandbox {
  url: string;
  secret: string;
}

/** Returns the secret that the product shares with its sandbox bank: the configured one, or one derived from the product's key. */
export function sandboxSecretOf({ appKey, sandboxSecret }: Pick<Config, 'appKey' | 'sandboxSecret'>): string {
  return sandboxSecret ?? new Secrets(appKey).hmac('sandbox', 'secret');
}

/** Returns where a running product's sandbox bank should be; undefined outside demo mode, unless a URL names it. */
export function sandboxOf(config: Config): Sandbox | undefined {
  const { sandboxUrl, demo, sandboxPort, port } = config;
  const url = sandboxUrl ?? (demo ? `http://127.0.0.1:${sandboxPort ?? port + 1}` : undefined);
  return url === undefined ? undefined : { url, secret: sandboxSecretOf(config) };
}

import type { Config } from '#config.ts';
import { Secrets } from '#security/secrets.ts';

/** Address of the sandbox bank, and the secret that the product shares with it. */
export interface Sandbox {
  url: string;
  secret: string;
}

/** Derives the secret that the product shares with its sandbox bank. */
export function sandboxSecretOf({ appKey }: Pick<Config, 'appKey'>): string {
  return new Secrets(appKey).hmac('sandbox', 'secret');
}

/** Returns where a running product's sandbox bank should be; undefined outside demo mode, unless a URL names it. */
export function sandboxOf(config: Config): Sandbox | undefined {
  const { sandboxUrl, demo, sandboxPort, port } = config;
  const url = sandboxUrl ?? (demo ? `http://127.0.0.1:${sandboxPort ?? port + 1}` : undefined);
  return url === undefined ? undefined : { url, secret: sandboxSecretOf(config) };
}

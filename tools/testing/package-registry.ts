import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../run-tool.ts';

/** A published package. */
interface Published {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
}

/** A package registry on the loopback interface, for tests. */
export class PackageRegistry {
  readonly #published = new Map<string, Published>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(({ url = '' }, reply) => {
      const found = this.#published.get(url.slice(1).replace(/\.tgz$/, ''));
      if (!found) reply.writeHead(404).end();
      else if (url.endsWith('.tgz')) reply.end(found.tarball);
      else reply.setHeader('content-type', 'application/json').end(this.#document(found));
    });
  }

  static async start(): Promise<PackageRegistry> {
    const registry = new PackageRegistry();
    registry.#server.listen(0, '127.0.0.1');
    await once(registry.#server, 'listening');
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Publishes version 1.0.0 of a package with an install script. */
  async publish(name: string, postinstall: string): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'hengfu-package-'));
    const manifest = { name, version: '1.0.0', scripts: { postinstall } };
    mkdirSync(join(folder, 'package'));
    writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifest));
    const file = join(folder, 'package.tgz');
    await runTool('tar', ['-czf', file, '-C', folder, 'package']);
    this.#published.set(name, { manifest, tarball: readFileSync(file) });
    rmSync(folder, { recursive: true });
  }

  /** Returns a published package's lock entry, with its hash but without its URL, as in our lock files. */
  lockEntry(name: string): object {
    const published = this.#published.get(name);
    if (!published) throw new Error(`${name} has not been published`);
    return { version: '1.0.0', integrity: integrityOf(published), hasInstallScript: true };
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #document(published: Published): string {
    const { manifest } = published;
    const dist = { integrity: integrityOf(published), tarball: `${this.url}${manifest.name}.tgz` };
    return JSON.stringify({
      name: manifest.name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, hasInstallScript: true, dist } },
    });
  }
}

function integrityOf({ tarball }: Published): string {
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod';
import { sandboxEntry } from '#folders.ts';

const readyLine = z.object({ ready: z.literal(true), url: z.url() });
const restartDelayMs = 1000;

export interface SandboxProcessOptions {
  port: number;
  host: string;
  dataDir: string;
  secret: string;
  log: FastifyBaseLogger;
}

/** Runs the sandbox bank as a separate process, and restarts it if it dies. */
export class SandboxProcess {
  readonly #options: SandboxProcessOptions;
  #child: ChildProcess | undefined;
  #isStopped = false;

  constructor(options: SandboxProcessOptions) {
    this.#options = options;
  }

  /** Starts the process; resolves with its base URL once it is ready. Throws if it exits before. */
  async start(): Promise<string> {
    const { port, host, dataDir, secret, log } = this.#options;
    const child = spawn(process.execPath, [sandboxEntry], {
      env: {
        ...process.env,
        SANDBOX_PORT: String(port),
        SANDBOX_HOST: host,
        SANDBOX_DATA: dataDir,
        SANDBOX_SECRET: secret,
        SANDBOX_EXIT_WITH_PARENT: '1',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
      // Shields it from a terminal's Ctrl-C: stop() ends it after the web side has finished.
      detached: true,
    });
    this.#child = child;
    child.once('exit', (code) => {
      if (this.#isStopped) return;
      log.warn({ code }, 'the sandbox bank died: restarting it');
      setTimeout(
        () =>
          void this.start().catch((error) =>
            log.error({ err: error }, 'the sandbox bank could not be restarted'),
          ),
        restartDelayMs,
      );
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const parsed = readyLine.safeParse(parseJson(line));
      if (parsed.success) {
        child.stdout.resume();
        return parsed.data.url;
      }
    }
    throw new Error('the sandbox bank did not start');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

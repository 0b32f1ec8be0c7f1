import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ImageType, LogoType } from '@hengfu/contract/images';
import { entryFile } from '#folders.ts';

const module = entryFile('imageDecoder');
const timeoutMs = 15_000;
/** An idle process is ended after this, which frees its memory. */
const idleMs = 10_000;

export interface ImageFile {
  type: ImageType;
  bytes: Buffer;
}

/** A picture to re-encode: as it is, or as a logo, a small PNG whose sides are at most `logoSide` pixels. */
export type GivenImage = ImageFile | { type: LogoType; bytes: Buffer; logoSide: number };

/** A re-encoded picture, or why there is none. */
export type DecodedImage = ImageFile | 'unreadable' | 'tooManyPixels';

/**
 * The decoder is C code that reads strangers' files: no secrets in its environment, and a crash ends only this process.
 * One arena and a fixed mmap threshold make malloc return a picture's memory; by default glibc keeps several times as much.
 */
const environment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
  UV_THREADPOOL_SIZE: '1',
  ...(process.env.LD_LIBRARY_PATH !== undefined && { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH }),
};

let running: ChildProcess | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Re-encodes a picture in a process of its own, which the first picture starts. Takes one picture at a time. A picture
 * that crashes the decoder, or takes too long, is `unreadable`. Rejects if the process cannot be started.
 */
export async function decodeImage(file: GivenImage): Promise<DecodedImage> {
  clearTimeout(idle);
  const child = running ?? start();
  running = child;
  const stop = new AbortController();
  const deadline = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    child.send(file);
    const answer = once(child, 'message', { signal: stop.signal });
    const exit = once(child, 'exit', { signal: stop.signal });
    const [decoded] = await Promise.race([answer, exit.then(() => ['unreadable'])]);
    return decoded as DecodedImage;
  } finally {
    stop.abort();
    clearTimeout(deadline);
    idle = setTimeout(() => {
      forget(child);
      child.kill();
    }, idleMs).unref();
  }
}

/** The next picture starts another process. */
function forget(child: ChildProcess): void {
  if (running === child) running = undefined;
}

function start(): ChildProcess {
  const child = fork(module, {
    env: environment,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Ctrl-C in a terminal reaches the whole group, but a shutdown lets requests finish. And the decoder lowers the priority of its
    // session, which must not be the server's.
    detached: true,
  });
  child.once('exit', () => forget(child)).on('error', () => forget(child));
  child.unref();
  child.channel?.unref();
  return child;
}

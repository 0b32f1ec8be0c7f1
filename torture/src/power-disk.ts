import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { run, unmount } from './mounts.ts';

const sizeMiB = 512;
const unmountTries = 50;
const unmountPauseMs = 200;
/**
 * The kernel's own way to try a power cut: EXT4_IOC_SHUTDOWN, _IOR('X', 125, __u32), with EXT4_GOING_FLAGS_NOLOGFLUSH:
 * nothing more reaches the disk, not even the journal's present transaction (include/uapi/linux/ext4.h).
 */
const shutdown =
  'import fcntl, os, struct, sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))';

/** A disk of its own for one folder, whose power can be cut: ext4 in a file. */
export class Disk {
  readonly #folder: string;
  readonly #image: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#image = `${folder}.ext4`;
  }

  static async make(folder: string): Promise<Disk> {
    const disk = new Disk(folder);
    await mkdir(folder, { recursive: true });
    await run('truncate', ['--size', `${sizeMiB}M`, disk.#image]);
    await run('mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', disk.#image]);
    await disk.#mount();
    return disk;
  }

  /** What was written so far is on it. */
  async flush(): Promise<void> {
    await run('sync', ['--file-system', this.#folder]);
  }

  /** From here on every access fails, and what was not flushed is gone. */
  async cutPower(): Promise<void> {
    await run('python3', ['-c', shutdown, this.#folder]);
  }

  /** The machine has power again. */
  async mountAgain(): Promise<void> {
    await this.#unmount();
    await this.#mount();
  }

  async remove(): Promise<void> {
    await unmount(this.#folder).catch(() => undefined);
    await rm(this.#image, { force: true });
  }

  async #mount(): Promise<void> {
    await run('mount', ['-o', 'loop', this.#image, this.#folder]);
  }

  /** Processes that were killed may still have files of it open for a moment. */
  async #unmount(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await run('umount', [this.#folder]);
        return;
      } catch (error) {
        if (attempt === unmountTries) throw error;
        await pause(unmountPauseMs);
      }
    }
  }
}

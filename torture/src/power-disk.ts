import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { run, unmount } from './mounts.ts';
import { type FileUser, usersOf } from './open-files.ts';

const sizeMiB = 512;
const unmountAttempts = 50;
const unmountPauseMs = 200;
/**
 * The kernel's own simulation of a power cut: EXT4_IOC_SHUTDOWN, _IOR('X', 125, __u32), with
 * EXT4_GOING_FLAGS_NOLOGFLUSH. Nothing more reaches the disk, not even the journal's current transaction
 * (include/uapi/linux/ext4.h).
 */
const shutdown =
  'import fcntl, os, struct, sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))';

/** A separate disk for one folder, ext4 in an image file, whose power can be cut. */
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

  /** Flushes everything written so far to the disk. */
  async flush(): Promise<void> {
    await run('sync', ['--file-system', this.#folder]);
  }

  /** Shuts the file system down: every access fails from now on, and what was not flushed is lost. */
  async cutPower(): Promise<void> {
    await run('python3', ['-c', shutdown, this.#folder]);
  }

  /** Mounts the disk again after a power cut, which no process that used it survives. */
  async remount(): Promise<void> {
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

  /**
   * Kills whatever still uses the disk, and unmounts it. PostgreSQL's processes notice the end of their
   * postmaster only between two statements, and a killed process keeps its files for a moment.
   */
  async #unmount(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      let users: FileUser[] = [];
      try {
        users = await usersOf(this.#folder);
        for (const { pid } of users) if (pid !== process.pid) kill(pid);
        await run('umount', [this.#folder]);
        return;
      } catch (error) {
        if (attempt === unmountAttempts)
          throw new Error(`cannot unmount the disk, used by ${JSON.stringify(users)}`, { cause: error });
        await pause(unmountPauseMs);
      }
    }
  }
}

/** Kills a process, which may already have exited because its files are gone. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited.
  }
}

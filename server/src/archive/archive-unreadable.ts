import { Refusal } from '#domain/refusal.ts';

/** A file of the archive is missing, or is not what was written. The message is for operators. */
export class ArchiveUnreadable extends Refusal {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('archive_unreadable');
    this.message = message;
    this.cause = options.cause;
  }
}

import { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from '#db/embedded/embedded.ts';
import { asOwner } from '#db/owner.ts';
import { BaseKeeper } from './base-keeper.ts';
import { Handover } from './handover.ts';
import { RecoveryArchive, type RecoveryArchiveOptions } from './recovery-archive.ts';
import { WalUploader } from './wal-uploader.ts';

/** A segment is finished after this time, however little is in it: with the disk, at most this and its upload are lost. */
const segmentSeconds = 30;

/** Options of {@link startArchived}. */
export interface ArchivedOptions extends EmbeddedOptions, RecoveryArchiveOptions {
  keepDays: number;
  /** Identifies the APP_KEY under which the database's secrets are encrypted. */
  appKeyMark: string;
  /** Receives what went wrong; it is retried. */
  warn: (line: string) => void;
}

/** How far archiving has come. */
export interface ArchivingState {
  waitingSegments: number;
  /** When the cluster was first archived, in this process or an earlier one. */
  since: Date;
  /** Undefined before the first base backup. */
  newestBaseAt: Date | undefined;
}

/** A running embedded PostgreSQL whose WAL is archived. */
export interface ArchivedPostgres extends EmbeddedPostgres {
  archiving: () => ArchivingState;
}

/** Starts the embedded PostgreSQL, archives its WAL, and makes a base backup a day. */
export async function startArchived(options: ArchivedOptions): Promise<ArchivedPostgres> {
  let handover: Handover | undefined;
  const database = await startEmbedded({
    ...options,
    settingsAt: async ({ home }) => {
      handover = await Handover.open(home);
      return {
        archive_mode: 'on',
        archive_command: handover.command,
        archive_timeout: String(segmentSeconds),
      };
    },
  });
  try {
    if (!handover) throw new Error('the cluster was started without its settings');
    const { superuserUrl, location } = database;
    const { since } = handover;
    const archive = new RecoveryArchive(await readSystem(superuserUrl), options);
    const { appKeyMark, keepDays, warn } = options;
    const { cluster } = location;
    const uploader = new WalUploader({ archive, handover, cluster, log: warn });
    const keeper = new BaseKeeper({ archive, superuserUrl, cluster, appKeyMark, keepDays, warn });
    uploader.start();
    keeper.start();
    return {
      ...database,
      archiving: () => ({ waitingSegments: uploader.waiting, since, newestBaseAt: keeper.newestBaseAt }),
      // PostgreSQL finishes and archives its last segment while it shuts down, so the uploader stops after it.
      stop: async () => {
        keeper.abandon();
        await database.stop();
        await Promise.all([uploader.stop(), keeper.stopped()]);
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Reads the identifier that PostgreSQL gave the database system when it was created. */
export function readSystem(superuserUrl: string): Promise<string> {
  return asOwner(superuserUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select system_identifier::text as id from pg_control_system()',
    );
    if (!rows[0]) throw new Error('PostgreSQL has no system identifier');
    return rows[0].id;
  });
}

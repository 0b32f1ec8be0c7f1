import type { Config } from '#config.ts';
import { Database, staffRoles } from '#db/database.ts';
import { dropLoginOf, ensureLogin, hasLogin, urlAs } from '#db/login.ts';
import { openPool } from '#db/pool.ts';
import { type Readable, readableSecrets } from '#features/key-rotation/readable-secrets.ts';
import { Secrets } from '#security/secrets.ts';
import { ConfigError } from '#settings/config-error.ts';

type KeyConfig = Pick<Config, 'appKey' | 'previousKey' | 'staff' | 'web' | 'worker' | 'ownsInstallation'>;

/**
 * Throws a {@link ConfigError} if the database has secrets, and neither APP_KEY nor APP_KEY_PREVIOUS reads any of those that are tried.
 * Connects directly: a pooler learns the login of a new key only later.
 */
export async function refuseOtherKey(config: KeyConfig, ownerUrl: string): Promise<void> {
  const { staff, web, worker, ownsInstallation } = config;
  const found: Readable[] = [];
  if (web || worker || ownsInstallation) found.push(await readableBy(config, ownerUrl, 'application'));
  if (staff) found.push(await readableBy(config, ownerUrl, 'staff'));
  if (found.includes('none') && !found.includes('some'))
    throw new ConfigError(
      'APP_KEY is not the key of this database: neither it nor APP_KEY_PREVIOUS can read the secrets there. Set the key that ' +
        'the database was used with (in demo mode, the one in DATA_DIR/app.key).',
    );
}

/** Reads the secrets that a door of the product may see. A login that is made for it goes again if the keys read none. */
async function readableBy(
  { appKey, previousKey }: KeyConfig,
  ownerUrl: string,
  door: 'application' | 'staff',
): Promise<Readable> {
  const isNew = !(await hasLogin(ownerUrl, appKey, door));
  const login = await ensureLogin(ownerUrl, appKey, door);
  const pool = openPool(urlAs(ownerUrl, login), { max: 1, applicationName: 'hengfu', onError: () => {} });
  const database = new Database(pool, { prepares: true, ...(door === 'staff' && { roles: staffRoles }) });
  const found = await readableSecrets(database, new Secrets(appKey, previousKey), door).finally(() =>
    pool.end(),
  );
  if (found === 'none' && isNew) await dropLoginOf(ownerUrl, appKey, door);
  return found;
}

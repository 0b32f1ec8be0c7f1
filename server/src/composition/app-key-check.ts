import type { Config } from '#config.ts';
import { ConfigError } from '#config-error.ts';
import { Database, staffRoles } from '#db/database.ts';
import { ensureLogin, urlAs } from '#db/login.ts';
import { openPool } from '#db/pool.ts';
import { readsNone } from '#features/key-rotation/readable-secrets.ts';
import { Secrets } from '#security/secrets.ts';

type KeyConfig = Pick<Config, 'appKey' | 'previousKey' | 'staff' | 'web' | 'worker' | 'ownsInstallation'>;

/**
 * Throws a {@link ConfigError} if the database has secrets, and neither APP_KEY nor APP_KEY_PREVIOUS reads any of those that are tried.
 * Connects directly: a pooler learns the login of a new key only later.
 */
export async function refuseOtherKey(config: KeyConfig, ownerUrl: string): Promise<void> {
  const { staff, web, worker, ownsInstallation } = config;
  const isApplication = web || worker || ownsInstallation;
  const isOther =
    (isApplication && (await isOtherKey(config, ownerUrl, 'application'))) ||
    (staff && (await isOtherKey(config, ownerUrl, 'staff')));
  if (isOther)
    throw new ConfigError(
      'APP_KEY is not the key of this database: neither it nor APP_KEY_PREVIOUS can read the secrets there. Set the key that ' +
        'the database was used with (in demo mode, the one in DATA_DIR/app.key).',
    );
}

/** Whether the keys read none of the secrets that a door of the product may see. */
async function isOtherKey(
  { appKey, previousKey }: KeyConfig,
  ownerUrl: string,
  door: 'application' | 'staff',
): Promise<boolean> {
  const login = await ensureLogin(ownerUrl, appKey, door);
  const pool = openPool(urlAs(ownerUrl, login), { max: 1, applicationName: 'hengfu', onError: () => {} });
  const database = new Database(pool, { prepares: true, ...(door === 'staff' && { roles: staffRoles }) });
  try {
    return await readsNone(database, new Secrets(appKey, previousKey), door);
  } finally {
    await pool.end();
  }
}

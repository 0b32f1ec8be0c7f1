import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandboxSecretOf } from '#composition/sandbox-location.ts';
import { readConfig } from './config.ts';
import { readProcessCounts } from './process/process-counts.ts';
import { ConfigError } from './settings/config-error.ts';

const key = 'ab'.repeat(32);

describe('settings', () => {
  it('have defaults, and demo mode creates a key in the data directory', () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'hengfu-config-'));
    const config = readConfig({ DATA_DIR, PORT: '' });
    expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', demo: true, web: true, worker: true });
    expect(statSync(join(DATA_DIR, 'app.key')).mode & 0o777).toBe(0o600);
    expect(readConfig({ DATA_DIR }).appKey).toEqual(config.appKey);
    expect(readFileSync(join(DATA_DIR, 'app.key'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('require a key outside demo mode', () => {
    expect(() => readConfig({ DEMO: '0' })).toThrow(/APP_KEY is needed/);
    expect(() => readConfig({ DATABASE_URL: 'postgres://a@b/c' })).toThrow(/APP_KEY is needed/);
    expect(readConfig({ DATABASE_URL: 'postgres://a@b/c', APP_KEY: key })).toMatchObject({ demo: false });
  });

  it('keep the port of the back office apart from that of the sandbox bank', () => {
    const demo = { DATA_DIR: mkdtempSync(join(tmpdir(), 'hengfu-config-')), PORT: '4300' };
    expect(() => readConfig({ ...demo, STAFF_PORT: '4301' })).toThrow(
      /STAFF_PORT cannot be 4301: the sandbox/,
    );
    expect(readConfig({ ...demo, STAFF_PORT: '4301', SANDBOX_PORT: '4302' })).toMatchObject({ port: 4300 });
    expect(readConfig({ ...demo, STAFF_PORT: '4302' })).toMatchObject({ port: 4300 });
    // Any free ports are never the same.
    expect(readConfig({ ...demo, STAFF_PORT: '0', SANDBOX_PORT: '0' })).toMatchObject({ port: 4300 });
  });

  it('let the sandbox bank serve live merchants in demo mode alone, unless they say otherwise', () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'hengfu-config-'));
    expect(readConfig({ DATA_DIR })).toMatchObject({ isSandboxLive: true });
    const production = { DEMO: '0', APP_KEY: key };
    expect(readConfig(production)).toMatchObject({ isSandboxLive: false });
    expect(readConfig({ ...production, SANDBOX_SERVES: 'all' })).toMatchObject({ isSandboxLive: true });
    expect(readConfig({ DATA_DIR, SANDBOX_SERVES: 'test' })).toMatchObject({ isSandboxLive: false });
  });

  it('may name a secret for the sandbox bank, which otherwise is derived from the key, and repeat no wrong one', () => {
    const production = { DEMO: '0', APP_KEY: key };
    const secretOf = (env: object) => sandboxSecretOf(readConfig({ ...production, ...env }));
    expect(secretOf({ SANDBOX_SECRET: 'shared with the bank' })).toBe('shared with the bank');
    expect(secretOf({})).toMatch(/^[\w-]{43}$/);
    expect(secretOf({ SANDBOX_SECRET: '' })).toBe(secretOf({}));
    expect(() => secretOf({ SANDBOX_SECRET: 'fifteen letters' })).not.toThrow('fifteen letters');
  });

  it('may name several hosts of the database', () => {
    const url = 'postgres://a@b:5432,c/d?target_session_attrs=read-write';
    expect(readConfig({ DATABASE_URL: url, APP_KEY: key })).toMatchObject({ databaseUrl: url });
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['DATABASE_URL', 'mysql://a'],
    ['DATABASE_URL', 'postgres://a,,b/c'],
    ['DATABASE_URL', 'postgres://a,b/c?target_session_attrs=any'],
    ['POOLER_URL', 'postgres://a:x,b/c'],
    ['APP_KEY', 'short'],
    ['APP_URL', 'ftp://a'],
    ['TRUST_PROXY', '10.0.0.1, nonsense'],
    ['TRUST_PROXY', '0x7f.1'],
    ['TRUST_PROXY', '127.0.0.01'],
    ['TRUST_PROXY', 'loopback'],
    ['TRUST_PROXY', 'fe80::1%eth0'],
    ['TRUST_PROXY', '::ffff:10.0.0.0/8'],
    ['TRUST_PROXY', '10.0.0.1 0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['SANDBOX_SECRET', 'fifteen letters'],
    ['LOG_LEVEL', 'loud'],
    ['DEMO', 'maybe'],
  ])('with %s=%s are rejected, naming the variable', (name, value) => {
    expect(() => readConfig({ APP_KEY: key, [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ APP_KEY: key, [name]: value })).toThrow(name);
  });
});

describe('the archive of WAL', () => {
  const archive = {
    APP_KEY: key,
    DEMO: '0',
    WAL_ARCHIVE_URL: 'file:///mnt/archive',
    WAL_ARCHIVE_KEY: 'cd'.repeat(32),
  };

  it('is off by default, and needs a place and a key of its own', () => {
    expect(readConfig({ APP_KEY: key }).walArchive).toBeUndefined();
    expect(readConfig({ ...archive, WAL_ARCHIVE_KEY_PREVIOUS: 'ef'.repeat(32) }).walArchive).toEqual({
      place: { directory: '/mnt/archive' },
      keys: [Buffer.alloc(32, 0xcd), Buffer.alloc(32, 0xef)],
      keepDays: 14,
    });
    const bucket = { ...archive, WAL_ARCHIVE_URL: 's3://a:b@c/d' };
    expect(readConfig(bucket).walArchive?.place).toMatchObject({ bucket: { endpoint: 'https://c/d' } });
  });

  it.each([
    [{ WAL_ARCHIVE_KEY: '' }, 'a WAL_ARCHIVE_KEY of its own'],
    [{ WAL_ARCHIVE_KEY: key }, 'a WAL_ARCHIVE_KEY of its own, other than APP_KEY'],
    [{ WAL_ARCHIVE_URL: 'relative/path' }, 'WAL_ARCHIVE_URL: must read file:///path'],
    [{ WAL_ARCHIVE_URL: 'file:///' }, 'WAL_ARCHIVE_URL: must read file:///path'],
    [{ DATABASE_URL: 'postgres://a@b/c' }, 'WAL_ARCHIVE_URL archives the embedded database'],
  ])('with %j is rejected', (wrong, message) => {
    expect(() => readConfig({ ...archive, ...wrong })).toThrow(message);
  });
});

describe('process counts', () => {
  it('default to one process that does everything, unless one is given', () => {
    expect(readProcessCounts([])).toBeUndefined();
    expect(readProcessCounts(['--web', '2', '--workers=3'])).toEqual({ web: 2, workers: 3 });
    expect(readProcessCounts(['--web', '2', '--workers', '0'])).toEqual({ web: 2, workers: 0 });
    expect(readProcessCounts(['--workers', '2'])).toEqual({ web: 1, workers: 2 });
  });

  it.each([['--web', '0'], ['--web', 'two'], ['--webs', '2'], ['2']])('can’t be %s %s', (...args) => {
    expect(() => readProcessCounts(args)).toThrow(ConfigError);
  });
});

describe('the back office', () => {
  const production = { APP_KEY: 'a'.repeat(64), DEMO: '0', APP_URL: 'https://console.example' };

  it('is served in demo mode, and otherwise only with an address of its own', () => {
    expect(readConfig({ APP_KEY: 'a'.repeat(64) })).toMatchObject({
      staff: true,
      staffFactorRequired: false,
    });
    expect(readConfig(production).staff).toBe(false);
    expect(readConfig({ ...production, STAFF_URL: 'https://office.example/' })).toMatchObject({
      staff: true,
      staffUrl: 'https://office.example',
      staffHost: '127.0.0.1',
      staffFactorRequired: true,
    });
  });

  it.each([
    ['the merchants’ host', { STAFF_URL: 'https://console.example' }],
    ['another port of the merchants’ host', { STAFF_URL: 'https://console.example:8443' }],
    ['a host that nothing is compared with', { STAFF_URL: 'https://office.example', APP_URL: '' }],
    ['no address', { PROCESS: 'staff' }],
    ['an address over http', { STAFF_URL: 'http://office.example' }],
    ['a name that only looks like this machine', { STAFF_URL: 'http://127.0.0.1.example' }],
  ])('does not start with %s', (_what, env) => {
    expect(() => readConfig({ ...production, ...env })).toThrow(ConfigError);
  });

  it.each(['http://localhost:8090', 'http://127.0.0.1:8090', 'http://[::1]:8090', 'http://office.localhost'])(
    'may be served over http on this machine: %s',
    (STAFF_URL) => {
      expect(readConfig({ ...production, STAFF_URL }).staffUrl).toBe(STAFF_URL);
    },
  );

  it('has a process of its own, which serves no merchant', () => {
    const config = readConfig({ ...production, PROCESS: 'staff', STAFF_URL: 'https://office.example' });
    expect(config).toMatchObject({ staff: true, web: false, worker: false, ownsInstallation: false });
    expect(readConfig({ ...production, PROCESS: 'web', STAFF_URL: 'https://office.example' }).staff).toBe(
      false,
    );
  });
});

import { statementLimits } from '@hengfu/contract/staff/statement-days';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readSource } from '../sources.ts';

interface Service {
  profiles?: string[];
  ports?: string[];
  command?: string | string[];
  environment: Readonly<Record<string, string | number>>;
}
const { services }: { services: Record<string, Service> } = parse(readSource('compose.yaml'), {
  merge: true,
});
const kubernetes = readSource('deploy/kubernetes/staff.yaml');

const resources = parseAllDocuments(kubernetes, { merge: true }).map((document) => document.toJS());
const resourceOf = (kind: string) => resources.find((resource) => resource.kind === kind);

it('compose starts the back office only if its profile is named, on the machine itself', () => {
  const { staff } = services;
  expect(staff).toMatchObject({ profiles: ['staff'], ports: ['127.0.0.1:8090:8090'] });
  expect(staff?.environment).toMatchObject({ PROCESS: 'staff', STAFF_PORT: 8090, STAFF_HOST: '0.0.0.0' });
  // Commands in the other containers ask for a second person from the same amount on.
  for (const name of ['web', 'worker', 'staff'])
    expect(services[name]?.environment.FOUR_EYES_FROM, name).toBe(staff?.environment.FOUR_EYES_FROM);
});

it('compose starts Node with the flags of the server', () => {
  const flags: string[] = JSON.parse(readSource('server/node-flags.json'));
  expect(services.web?.command).toContain(`node ${flags.join(' ')} server/`);
});

/** Settings that the image or compose.yaml itself decides, and those of other databases, which compose.yaml does not start. */
const decided = {
  image: ['HOST', 'PORT', 'METRICS_PORT', 'DATA_DIR'],
  demo: ['DEMO', 'DEMO_AUTOPILOT', 'SANDBOX_PORT'],
  otherDatabases: ['POOLER_URL', 'POOLER_PREPARES', 'REPLICA_URL'],
  embeddedDatabase: [
    'WAL_ARCHIVE_URL',
    'WAL_ARCHIVE_KEY',
    'WAL_ARCHIVE_KEY_PREVIOUS',
    'WAL_ARCHIVE_KEEP_DAYS',
  ],
};

it('compose passes on every setting that it does not decide itself', () => {
  const settings = [...readSource('server/src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
    ([, name]) => name,
  );
  expect(settings).toContain('APP_KEY_PREVIOUS');
  const passedOn = Object.keys(services.staff?.environment ?? {});
  expect(settings.filter((name = '') => !passedOn.includes(name)).sort()).toEqual(
    Object.values(decided).flat().sort(),
  );
  for (const name of ['web', 'worker'])
    expect(passedOn.filter((setting) => !(setting in (services[name]?.environment ?? {}))).sort()).toEqual([
      'STAFF_HOST',
      'STAFF_PORT',
      'STAFF_URL',
    ]);
});

it('no other process serves the back office', () => {
  for (const [name, { environment }] of Object.entries(services))
    if (name !== 'staff') expect([name, environment?.STAFF_URL]).toEqual([name, undefined]);
  expect(readSource('deploy/kubernetes/web.yaml')).not.toContain('STAFF');
  expect(readSource('deploy/kubernetes/settings.yaml')).not.toContain('STAFF_URL');
});

it('Kubernetes reaches the back office where it listens', () => {
  const [deployment, service] = resources;
  const ingress = resourceOf('Ingress');
  const [container] = deployment.spec.template.spec.containers;
  const value = (wanted: string) =>
    container.env.find(({ name }: { name: string }) => name === wanted)?.value;
  expect([value('PROCESS'), value('STAFF_PORT')]).toEqual([
    'staff',
    String(container.ports[0].containerPort),
  ]);
  expect(service.spec.selector).toEqual(deployment.spec.selector.matchLabels);
  const [rule] = ingress.spec.rules;
  expect(value('STAFF_URL')).toBe(`https://${rule.host}`);
  expect(rule.http.paths[0].backend.service.name).toBe(service.metadata.name);
});

it('Kubernetes keeps a browser with one process of the console, and with one of the back office', () => {
  const console = parse(readSource('deploy/kubernetes/ingress.yaml'));
  for (const { annotations } of [console.metadata, resourceOf('Ingress').metadata])
    expect(annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/affinity': 'cookie',
      'nginx.ingress.kubernetes.io/session-cookie-samesite': 'Lax',
    });
});

it('Kubernetes waits for a process that shuts down for as long as the process does', () => {
  for (const file of ['web', 'worker', 'staff']) {
    const [deployment] = parseAllDocuments(readSource(`deploy/kubernetes/${file}.yaml`), { merge: true }).map(
      (document) => document.toJS(),
    );
    const { containers, terminationGracePeriodSeconds } = deployment.spec.template.spec;
    const drain = containers[0].env.find(({ name }: { name: string }) => name === 'DRAIN_SECONDS');
    expect(terminationGracePeriodSeconds, file).toBeGreaterThanOrEqual(Number(drain?.value ?? 0.5) + 70);
  }
});

it('Kubernetes lets only chosen addresses and the ingress controller reach the back office, with statements as large as it takes', () => {
  const { annotations } = resourceOf('Ingress').metadata;
  const ranges: string = annotations['nginx.ingress.kubernetes.io/whitelist-source-range'];
  expect(ranges).toMatch(/^[\d.]+\/([89]|[12]\d|3[0-2])$/);
  expect(annotations['nginx.ingress.kubernetes.io/proxy-body-size']).toBe(
    `${statementLimits.uploadBytes / 1024 ** 2}m`,
  );
  const { spec } = resourceOf('NetworkPolicy');
  expect(spec.podSelector.matchLabels).toEqual(resourceOf('Deployment').spec.selector.matchLabels);
  expect(spec.ingress).toEqual([
    { from: [{ namespaceSelector: expect.anything() }], ports: [{ port: 'http' }] },
  ]);
});

it('two people have to agree from the same amount on in every process', () => {
  const { data } = parse(readSource('deploy/kubernetes/settings.yaml'));
  expect(data.FOUR_EYES_FROM).toBe('1000');
  expect(kubernetes).not.toContain('FOUR_EYES_FROM');
});

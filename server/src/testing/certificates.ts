import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** An authority, or a server's certificate, with its key. */
export interface TestCertificate {
  pem: string;
  key: KeyObject;
  name: string;
}

/** The content of a certificate. Without `issuer` it signs itself. */
export interface CertificateFacts {
  name: string;
  issuer?: TestCertificate;
  isAuthority?: boolean;
  validFrom?: Date;
  validTo?: Date;
}

const dayMs = 86_400_000;

/** DER: a tag, the length, and the content. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const octets = (content: Buffer) => der(0x04, content);
const yes = der(0x01, Buffer.from([0xff]));
/** An object identifier, as its bytes in hexadecimal. */
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = (name: string) =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
const time = (at: Date) =>
  der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

/** Makes an X.509 certificate for tests: P-256, signed by its issuer or by itself. */
export function makeCertificate(facts: CertificateFacts): TestCertificate {
  const { name, issuer, isAuthority = false } = facts;
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { validFrom = new Date(Date.now() - dayMs), validTo = new Date(Date.now() + dayMs) } = facts;
  const extensions = [
    sequence(oid('551d13'), yes, octets(isAuthority ? sequence(yes) : sequence())),
    ...(isAuthority ? [] : [sequence(oid('551d11'), octets(sequence(der(0x82, Buffer.from(name)))))]),
  ];
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    commonName(issuer?.name ?? name),
    sequence(time(validFrom), time(validTo)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = createSign('sha256')
    .update(content)
    .sign(issuer?.key ?? key);
  const certificate = sequence(content, ecdsaWithSha256, bits(signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    pem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key,
    name,
  };
}

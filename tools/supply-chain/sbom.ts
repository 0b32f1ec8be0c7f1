import { idOf, type Production, type ProductionPackage } from './production.ts';

/** The product itself, as package.json names it. */
export interface Product {
  readonly name: string;
  readonly version: string;
}

/** Path of the bill of materials of a version. */
export function sbomPath({ name, version }: Product): string {
  return `docs/sbom/${name}-${version}.cdx.json`;
}

/**
 * Writes the bill of materials as CycloneDX 1.6. The same lock file always gives the same text: there is no serial number and
 * no time in it.
 */
export function sbomText(product: Product, { packages, direct }: Production): string {
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { 'bom-ref': idOf(product), type: 'application', ...identity(product) },
    },
    components: packages.map(component),
    dependencies: [
      { ref: idOf(product), dependsOn: direct },
      ...packages.map((each) => ({ ref: idOf(each), dependsOn: each.needs })),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function component(each: ProductionPackage): object {
  return {
    'bom-ref': idOf(each),
    type: 'library',
    ...identity(each),
    scope: each.isOptional ? 'optional' : 'required',
    hashes: each.integrity === undefined ? [] : each.integrity.split(' ').map(hash),
    licenses: [
      / (AND|OR|WITH) /.test(each.license) ? { expression: each.license } : { license: { id: each.license } },
    ],
  };
}

function identity({ name, version }: Product): object {
  return { name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` };
}

/** From `sha512-<Base64>` to CycloneDX's algorithm and hexadecimal content. */
function hash(integrity: string): object {
  const [, bits = '', content = ''] = /^sha(\d+)-(.+)$/.exec(integrity) ?? [];
  return { alg: `SHA-${bits}`, content: Buffer.from(content, 'base64').toString('hex') };
}

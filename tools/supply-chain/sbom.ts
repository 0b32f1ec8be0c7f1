import { idOf, type Production, type ProductionPackage } from './production.ts';

/** Name and version of the product, from package.json. */
export interface Product {
  readonly name: string;
  readonly version: string;
}

/** Returns the path of a version's bill of materials. */
export function sbomPath({ name, version }: Product): string {
  return `docs/sbom/${name}-${version}.cdx.json`;
}

/**
 * Formats the bill of materials as CycloneDX 1.6, without serial number and timestamp, so that the same lock
 * file always produces the same text.
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

/** Converts `sha512-<Base64>` to CycloneDX's algorithm name and hexadecimal digest. */
function hash(integrity: string): object {
  const [, bits = '', content = ''] = /^sha(\d+)-(.+)$/.exec(integrity) ?? [];
  return { alg: `SHA-${bits}`, content: Buffer.from(content, 'base64').toString('hex') };
}

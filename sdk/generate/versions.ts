import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sdkFolder } from './files.ts';

/** Where each library names its version, the place that its package manager reads first. */
const places: Readonly<Record<string, readonly (readonly [path: string, pattern: RegExp])[]>> = {
  typescript: [
    ['package.json', /"version": "([\d.]+)"/],
    ['src/transport.ts', /hengfu-typescript\/([\d.]+)'/],
  ],
  python: [
    ['pyproject.toml', /^version = "([\d.]+)"/m],
    ['src/hengfu/__init__.py', /__version__ = "([\d.]+)"/],
    ['src/hengfu/transport.py', /hengfu-python\/([\d.]+)"/],
  ],
  php: [
    ['composer.json', /"version": "([\d.]+)"/],
    ['src/Transport.php', /hengfu-php\/([\d.]+)'/],
  ],
  java: [
    ['pom.xml', /^ {2}<version>([\d.]+)<\/version>/m],
    ['src/main/java/com/hengfu/sdk/Transport.java', /hengfu-java\/([\d.]+)"/],
  ],
  go: [['hengfu.go', /Version = "([\d.]+)"/]],
};

/** Lists the places that name another version than the library's first place, and changelogs that do not describe it. */
export function versionProblems(): string[] {
  return Object.entries(places).flatMap(([folder, [first, ...others]]) => {
    if (!first) return [];
    const version = versionIn(folder, first);
    const different = others
      .filter((place) => versionIn(folder, place) !== version)
      .map(([path]) => `sdk/${folder}/${path}: not version ${version}`);
    const changelog = readFileSync(join(sdkFolder, folder, 'CHANGELOG.md'), 'utf8');
    const isDescribed = changelog.includes(`## ${version}\n`);
    return [
      ...different,
      ...(isDescribed ? [] : [`sdk/${folder}/CHANGELOG.md: does not describe ${version}`]),
    ];
  });
}

function versionIn(folder: string, [path, pattern]: readonly [string, RegExp]): string {
  return pattern.exec(readFileSync(join(sdkFolder, folder, path), 'utf8'))?.[1] ?? 'none';
}

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { missingProgram, type Obstacle } from '@hengfu/server/testing/obstacle.ts';
import { sdkFolder } from '../generate/files.ts';

/** A program with its arguments, and variables that it needs. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** How a library is built and tried. Commands run in its folder. */
export interface Library {
  readonly name: string;
  readonly folder: string;
  /** Why it cannot be tried here; undefined if it can. */
  readonly obstacle: () => Obstacle | undefined;
  /** Builds the library and runs its own tests. */
  readonly tests: readonly Command[];
  readonly story: Command;
  /** The file that the first program of its README is written to, and the command that runs it. */
  readonly quickStart: Command & { readonly file: string };
  /** The other programs of its README: the files that they are written to, and the command that runs them. */
  readonly readme: Command & {
    readonly files: readonly { readonly template: string; readonly file: string }[];
    /** The web server of a receiver that is no program of its own; 8000 stands for its port. */
    readonly receiver?: Command;
  };
}

const root = join(sdkFolder, '..');
const junit = ['/usr/share/java/junit4.jar', '/usr/share/java/hamcrest.jar'];
/** Java 17 reads sources that it runs, and writes texts, in the encoding of the locale. */
const javaUtf8 = '-Dfile.encoding=UTF-8';
const javaTests = ['JsonTest', 'SignaturesTest', 'ClientTest'].map((name) => `com.hengfu.sdk.${name}`);
// Of Go's own packages, those for names of hosts would need a C compiler.
const go = { CGO_ENABLED: '0', GOFLAGS: '-mod=mod', GOCACHE: join(root, 'node_modules/.cache/hengfu-go') };
const python = { PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' };

/** All libraries. Their tests and stories run in this order. */
export const libraries: readonly Library[] = [
  {
    name: 'TypeScript',
    folder: 'typescript',
    obstacle: () => undefined,
    // Its own tests are among those of Vitest.
    tests: [{ program: join(root, 'node_modules/.bin/tsc'), args: ['-p', 'tsconfig.build.json'] }],
    story: { program: process.execPath, args: ['story/story.mjs'] },
    quickStart: { file: 'dist/quick-start.mts', program: process.execPath, args: ['dist/quick-start.mts'] },
    readme: {
      files: [{ template: 'typescript.txt', file: 'dist/readme.mts' }],
      program: process.execPath,
      args: ['dist/readme.mts'],
    },
  },
  {
    name: 'Python',
    folder: 'python',
    obstacle: () => missingProgram('python3', 'python3'),
    tests: [{ program: 'python3', args: ['-m', 'unittest', 'discover', '-s', 'tests'], env: python }],
    story: { program: 'python3', args: ['story/story.py'], env: python },
    quickStart: {
      file: 'dist/quick_start.py',
      program: 'python3',
      args: ['dist/quick_start.py'],
      env: python,
    },
    readme: {
      files: [
        { template: 'python.txt', file: 'dist/readme.py' },
        { template: 'flask.txt', file: 'dist/flask.py' },
      ],
      program: 'python3',
      args: ['dist/readme.py'],
      env: python,
    },
  },
  {
    name: 'Go',
    folder: 'go',
    obstacle: () => missingProgram('go', 'golang-go'),
    tests: [
      { program: 'go', args: ['vet', './...'], env: go },
      { program: 'go', args: ['test', './...'], env: go },
      { program: 'go', args: ['build', '-o', 'dist/story', './story'], env: go },
    ],
    story: { program: './dist/story', args: [] },
    quickStart: { file: 'dist/quick/main.go', program: 'go', args: ['run', './dist/quick'], env: go },
    readme: {
      files: [{ template: 'go.txt', file: 'dist/readme/main.go' }],
      program: 'go',
      args: ['run', './dist/readme'],
      env: go,
    },
  },
  {
    name: 'PHP',
    folder: 'php',
    obstacle: () => missingProgram('php', 'php-cli php-curl') ?? missingProgram('phpunit', 'phpunit'),
    tests: [
      {
        program: 'phpunit',
        args: ['--do-not-cache-result', '--fail-on-warning', '--bootstrap', 'tests/bootstrap.php', 'tests'],
      },
    ],
    story: { program: 'php', args: ['story/story.php'] },
    quickStart: {
      file: 'dist/quick-start.php',
      program: 'php',
      args: ['-d', 'include_path=.', 'dist/quick-start.php'],
    },
    readme: {
      files: [
        { template: 'php.txt', file: 'dist/readme.php' },
        { template: 'php-callback.txt', file: 'dist/callback.php' },
      ],
      program: 'php',
      args: ['-d', 'include_path=.', 'dist/readme.php'],
      receiver: { program: 'php', args: ['-S', '127.0.0.1:8000', 'dist/callback.php'] },
    },
  },
  {
    name: 'Java',
    folder: 'java',
    obstacle: () => missingProgram('javac', 'openjdk-17-jdk-headless') ?? missingJunit(),
    tests: [
      { program: 'javac', args: [...javacOptions(), ...javaSources()] },
      {
        program: 'java',
        args: [javaUtf8, '-cp', ['dist', ...junit].join(':'), 'org.junit.runner.JUnitCore', ...javaTests],
      },
    ],
    story: { program: 'java', args: [javaUtf8, '-cp', 'dist', 'Story'] },
    quickStart: {
      file: 'dist/QuickStart.java',
      program: 'java',
      args: [javaUtf8, '-cp', 'dist', 'dist/QuickStart.java'],
    },
    readme: {
      files: [{ template: 'java.txt', file: 'dist/ReadMe.java' }],
      program: 'java',
      args: [javaUtf8, '-cp', 'dist', 'dist/ReadMe.java'],
    },
  },
];

function missingJunit(): Obstacle | undefined {
  return junit.every((file) => existsSync(file))
    ? undefined
    : { kind: 'package', reason: 'JUnit is not installed (Debian: apt-get install junit4)' };
}

function javacOptions(): string[] {
  return [
    '-Xlint:all',
    '-Werror',
    '--release',
    '17',
    '-encoding',
    'UTF-8',
    '-d',
    'dist',
    '-cp',
    junit.join(':'),
  ];
}

/** Lists the sources of the library, of its tests and of its story, relative to its folder. */
function javaSources(): string[] {
  const files = readdirSync(join(sdkFolder, 'java/src'), { recursive: true, encoding: 'utf8' });
  return [...files.filter((file) => file.endsWith('.java')).map((file) => `src/${file}`), 'story/Story.java'];
}

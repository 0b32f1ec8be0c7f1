import { listFiles, readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** A test file's name, followed by titles in quotes: `payouts.test`: "is made once", "…". */
const quotation = /`[\w./-]+`: ((?:"[^"]+"(?:, )?)+)/g;

/** Checks that every test title quoted in a document is the title of an existing test. */
export const quotedTests: Check = {
  name: 'quoted tests',
  run: async () => {
    const files = listFiles();
    const tests = files.filter((file) => /\.(?:test|spec)\.tsx?$/.test(file)).map((file) => readSource(file));
    const documents = files.filter((file) => file.endsWith('.md') && !file.startsWith('docs/decisions/'));
    const problems = documents.flatMap((file) =>
      missingTitles(readSource(file), tests.join('\n')).map(
        (title) => `${file}: no test is named “${title}”`,
      ),
    );
    return { problems };
  },
};

/** Finds the titles quoted in a document that no test has, not even as a part of its own title. */
export function missingTitles(document: string, tests: string): string[] {
  const normalized = plain(tests);
  return [...document.matchAll(quotation)]
    .flatMap(([, titles = '']) => [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title))
    .filter((title) => !normalized.includes(plain(title)));
}

const plain = (text: string) => text.replaceAll('’', "'").replaceAll(/\s+/g, ' ');

import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { filesBetweenWaiting, slowFiles, waitingFiles } from './slow-files.ts';

/**
 * Starts the longest files first, whatever their project: Vitest starts one project after the other, so the tortures would keep a
 * single worker busy for minutes when all else is done. Files that wait are kept apart.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index < 0 ? slowFiles.length : index;
    };
    const sorted = (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
    return keptApart(sorted);
  }
}

function keptApart(files: readonly TestSpecification[]): TestSpecification[] {
  const isWaiting = ({ moduleId }: TestSpecification) =>
    waitingFiles.some((file) => moduleId.endsWith(`/${file}`));
  const ordered = files.filter((file) => !isWaiting(file));
  for (const [index, file] of files.filter(isWaiting).entries())
    ordered.splice(filesBetweenWaiting * (index + 1) + index, 0, file);
  return ordered;
}

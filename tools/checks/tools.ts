import { runTool } from '../run-tool.ts';
import { isTypeScript, listFiles } from '../sources.ts';
import { workspaceDirectories } from '../workspaces.ts';
import type { Check } from './check.ts';

/** Runs another program as a check: a nonzero exit code is a failure, and its output is the problem. */
function toolCheck(name: string, tool: string, args: string[]): Check {
  return {
    name,
    run: async () => {
      const { exitCode, output } = await runTool(tool, args);
      return { problems: exitCode === 0 ? [] : [output.trim() || `${tool} exited with code ${exitCode}`] };
    },
  };
}

/** Runs the compiler on every workspace that has sources. */
export function typeChecks(): Check[] {
  const files = listFiles().filter(isTypeScript);
  return workspaceDirectories()
    .filter((directory) => files.some((file) => file.startsWith(`${directory}/`)))
    .map((directory) => toolCheck(`types of ${directory}`, 'tsc', ['-p', directory, '--pretty', 'false']));
}

/** Checks formatting and lint rules (biome.json); warnings are errors. */
export const style = toolCheck('style', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=none']);

/** Finds unused files, exports and dependencies, and dependencies missing from package.json. */
export const unused = toolCheck('unused code', 'knip', ['--no-progress', '--treat-config-hints-as-errors']);

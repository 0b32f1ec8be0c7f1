import { runTool } from '../run-tool.ts';
import { isTypeScript, listFiles } from '../sources.ts';
import { workspaceDirectories } from '../workspaces.ts';
import type { Check } from './check.ts';

/** A check that is another program's: its exit code decides, its output tells what is wrong. */
function toolCheck(name: string, tool: string, args: string[]): Check {
  return {
    name,
    run: async () => {
      const { exitCode, output } = await runTool(tool, args);
      return { problems: exitCode === 0 ? [] : [output.trim() || `${tool} ended with code ${exitCode}`] };
    },
  };
}

/** The compiler, over every workspace that has sources. */
export function typeChecks(): Check[] {
  const files = listFiles().filter(isTypeScript);
  return workspaceDirectories()
    .filter((directory) => files.some((file) => file.startsWith(`${directory}/`)))
    .map((directory) => toolCheck(`types of ${directory}`, 'tsc', ['-p', directory, '--pretty', 'false']));
}

/** Formatting and lint, as biome.json says; warnings count. */
export const style = toolCheck('style', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=none']);

/** Files, exports and dependencies that nothing uses, and dependencies that package.json does not name. */
export const unused = toolCheck('unused code', 'knip', ['--no-progress', '--treat-config-hints-as-errors']);

import { runTool } from '../run-tool.ts';
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

/** Checks formatting and lint rules (biome.json); warnings are errors. */
export const style = toolCheck('style', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=none']);

/** Finds unused files, exports and dependencies, and dependencies missing from package.json. */
export const unused = toolCheck('unused code', 'knip', ['--no-progress', '--treat-config-hints-as-errors']);

/** Parses routes from the router's printed tree, in which each line extends the path above it. */
export function routesOf(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S*)(?: \((.+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.length = depth;
    above[depth] = part;
    const path = above.join('');
    return (
      methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD')
        // Each file of the built console has its own route.
        .map((method) => `${method} ${path.replace(/^\/assets\/.+/, '/assets/*')}`)
    );
  });
}

/**
 * Entry of every npm script: fetches the product's own Node and its dependencies when they are missing, then hands
 * over. It imports nothing up front, so that an old Node gets as far as the sentence below.
 */
const major = Number(process.versions.node.split('.')[0]);

if (major < 20) {
  console.error(
    `hengfu: Node 20 or newer is needed to start; this is ${process.version}. See https://nodejs.org`,
  );
  process.exitCode = 1;
} else {
  import('./bootstrap/main.mjs').then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2));
  });
}
